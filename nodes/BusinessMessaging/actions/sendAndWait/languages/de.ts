/** The page of a question in German. */
export const GERMAN = {
	heading: 'Eine Frage an Sie',
	codeLabel: 'Code aus der Nachricht',
	answerLabel: 'Ihre Antwort',
	send: 'Absenden',
	reasonLabel: 'Grund für „[button]“ (freiwillig)',
	missing: 'Bitte antworten Sie, bevor Sie absenden.',
	wrongCode:
		'Das ist nicht der Code dieser Nachricht. Geben Sie den Code aus der Nachricht ein, mit der dieser Link kam.',
	thanks: 'Vielen Dank\nIhre Antwort wurde gesendet:',
	close: 'Sie können diese Seite schließen.',
	answered:
		'Bereits beantwortet\nDiese Frage wurde schon beantwortet. Es zählt nur die erste Antwort.',
	expired:
		'Die Zeit ist abgelaufen\nDiese Frage kann nicht mehr beantwortet werden. Bitte wenden Sie sich an die Person, die sie Ihnen geschickt hat.',
	wrongLink:
		'Hier ist keine Frage\nDieser Link ist unvollständig oder gehört zu einer früheren Frage. Bitte öffnen Sie den Link der neuesten Nachricht.',
	notStored:
		'Ihre Antwort wurde nicht gespeichert\nDie Frage wurde im selben Moment beantwortet, oder etwas ist schiefgegangen. Bitte öffnen Sie den Link in einer Minute noch einmal.',
	toolValues: 'Werte für das Werkzeug [tool]: [count]',
	more: '[count] weitere Zeichen',
	willSend: 'Was gesendet wird',
	customerReads: 'Was der Kunde lesen wird',
	computedLater: 'Was in doppelten Klammern steht, wird erst berechnet, wenn das Werkzeug läuft.',
};
