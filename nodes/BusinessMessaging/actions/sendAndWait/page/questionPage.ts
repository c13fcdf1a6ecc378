import type { Question } from '../../question';
import { escaped, pageOf } from './layout';
import { SCRIPT } from './style';

interface View {
	/** Of a link to one answer, which stands in front then. */
	preferred?: number;
	/** What was sent last was no answer. */
	isMissing?: boolean;
}

/** The question with a button for each answer. It says nothing of the workflow beyond that. */
export function questionPage(question: Question, { preferred, isMissing }: View = {}): string {
	const { text, choices, kind } = question;
	const all = [...choices.keys()];
	const order = [
		...all.filter((choice) => choice === preferred),
		...all.filter((choice) => choice !== preferred),
	];
	const buttons = order.map((choice, place) => button(choices[choice], choice, place === 0));
	return pageOf(
		'A question for you',
		[
			`<p class="question" dir="auto">${escaped(text)}</p>`,
			isMissing ? '<p role="alert">Please answer before you send.</p>' : '',
			'<form method="post">',
			...(kind === 'freeText' ? [ANSWER_FIELD, SEND] : []),
			question.asksReason ? reasonField(choices[1]) : '',
			...buttons,
			'</form>',
			`<script>${SCRIPT}</script>`,
		]
			.filter(Boolean)
			.join('\n'),
	);
}

/** Of what somebody writes. */
export const MAX_TEXT_LENGTH = 4000;

const ANSWER_FIELD = `<label>Your answer<textarea name="text" dir="auto" maxlength="${MAX_TEXT_LENGTH}" required></textarea></label>`;
const SEND = '<button class="main">Send</button>';

function button(label: string, choice: number, isMain: boolean): string {
	const look = isMain ? ' class="main"' : '';
	return `<button name="choice" value="${choice}"${look} dir="auto">${escaped(label)}</button>`;
}

function reasonField(label: string): string {
	return `<label class="soft">Reason for “${escaped(label)}” (optional)<textarea name="reason" dir="auto" maxlength="${MAX_TEXT_LENGTH}"></textarea></label>`;
}
