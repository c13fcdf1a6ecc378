/** Ready texts of the page of a question, as people see them. */
export const GERMAN = {
	lang: 'de',
	heading: 'Eine Frage an Sie',
	codeLabel: 'Code aus der Nachricht',
	reasonLabel: 'Grund für „[button]“ (freiwillig)',
	wrongCode: 'Das ist nicht der Code dieser Nachricht.',
	thanks: 'Vielen Dank\nIhre Antwort wurde gesendet:',
	close: 'Sie können diese Seite schließen.',
};

export const ARABIC = {
	lang: 'ar',
	heading: 'سؤال لك',
	codeLabel: 'الرمز الموجود في الرسالة',
	reasonLabel: 'سبب «[button]» (اختياري)',
	wrongCode: 'هذا ليس رمز هذه الرسالة.',
	thanks: 'شكرًا لك\nتم إرسال إجابتك:',
	close: 'يمكنك إغلاق هذه الصفحة.',
};
