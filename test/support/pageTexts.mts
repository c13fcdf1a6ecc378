/** Texts of the page of a question, as a workflow's Options have them. */
export const GERMAN = {
	lang: 'de',
	heading: 'Eine Frage an Sie',
	codeLabel: 'Code aus der Nachricht',
	answerLabel: 'Ihre Antwort',
	send: 'Absenden',
	reasonLabel: 'Grund für „[button]“ (freiwillig)',
	missing: 'Bitte antworten Sie, bevor Sie absenden.',
	wrongCode: 'Das ist nicht der Code dieser Nachricht.',
	thanks: 'Vielen Dank\nIhre Antwort wurde gesendet:',
	close: 'Sie können diese Seite schließen.',
	answered: 'Bereits beantwortet\nEs zählt nur die erste Antwort.',
};

export const ARABIC = {
	lang: 'ar',
	heading: 'سؤال لك',
	codeLabel: 'الرمز الموجود في الرسالة',
	answerLabel: 'إجابتك',
	send: 'إرسال',
	reasonLabel: 'سبب «[button]» (اختياري)',
	missing: 'يرجى الإجابة قبل الإرسال.',
	wrongCode: 'هذا ليس رمز هذه الرسالة.',
	thanks: 'شكرًا لك\nتم إرسال إجابتك:',
	close: 'يمكنك إغلاق هذه الصفحة.',
	answered: 'تمت الإجابة من قبل\nالإجابة الأولى فقط هي التي تُحتسب.',
};
