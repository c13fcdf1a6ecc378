/** The page of a question in Indonesian. */
export const INDONESIAN = {
	heading: 'Pertanyaan untuk Anda',
	codeLabel: 'Kode dalam pesan',
	answerLabel: 'Jawaban Anda',
	send: 'Kirim',
	reasonLabel: 'Alasan “[button]” (opsional)',
	missing: 'Harap jawab sebelum mengirim.',
	wrongCode: 'Itu bukan kode pesan ini. Masukkan kode dari pesan yang berisi tautan ini.',
	thanks: 'Terima kasih\nJawaban Anda telah dikirim:',
	close: 'Anda dapat menutup halaman ini.',
	answered: 'Sudah dijawab\nPertanyaan ini sudah dijawab. Hanya jawaban pertama yang dihitung.',
	expired:
		'Waktu habis\nPertanyaan ini tidak dapat dijawab lagi. Silakan hubungi orang yang mengirimkannya kepada Anda.',
	wrongLink:
		'Tidak ada pertanyaan di sini\nTautan ini tidak lengkap atau milik pertanyaan sebelumnya. Silakan buka tautan dari pesan terbaru.',
	notStored:
		'Jawaban Anda tidak tersimpan\nPertanyaan dijawab pada saat yang sama, atau terjadi kesalahan. Silakan buka tautan lagi dalam satu menit.',
	toolValues: 'Nilai untuk alat [tool]: [count]',
	more: '[count] karakter lagi',
	willSend: 'Yang akan dikirim',
	customerReads: 'Yang akan dibaca pelanggan',
	computedLater: 'Bagian dalam kurung kurawal ganda dihitung saat alat dijalankan.',
};
