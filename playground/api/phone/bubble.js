import { copyOf, element, time } from './dom.js';
import { withLinks } from './links.js';
import { runsOf } from './workflows.js';

const STATUS_WORDS = { sent: 'Sent', delivered: 'Delivered', read: 'Read', failed: 'Failed' };

/** One thing that was said in the chat. */
export function bubbleOf(entry, onChangeForm) {
	if (entry.kind === 'message') return businessBubble(entry);
	return entry.formData ? formBubble(onChangeForm) : textBubble(entry);
}

function businessBubble({ templateName, templateText, variables, category, amount, workflow }) {
	const status = element('span', {}, '');
	const ticks = element('span', { class: 'status' }, copyOf('ticks'), status);
	const price = amount === 0 ? 'free' : `INR ${amount}`;
	const bubble = element(
		'article',
		{ class: 'bubble from-business', 'aria-label': 'Business' },
		...contentOf(templateText, variables),
		element('footer', {}, element('code', {}, templateName), ` · ${category}, ${price}`),
		...(workflow ? [element('footer', {}, 'From ', runsOf(workflow))] : []),
		ticks,
	);
	return {
		element: bubble,
		update(message) {
			bubble.dataset.status = message.status;
			bubble.dataset.isAnswered = message.isAnswered;
			status.textContent = statusSentence(message);
		},
	};
}

function statusSentence({ status, statusAt, error, isAnswered }) {
	const reason = error ? `: ${error.code} ${error.message}` : '';
	const answered = isAnswered ? ' · Answered' : '';
	return `${STATUS_WORDS[status]} ${time(statusAt)}${reason}${answered}`;
}

/** The text with its variables filled in or, of a template that is not known here, its variables in order. */
function contentOf(text, variables) {
	if (text === undefined) return [variableList(variables)];
	const parts = text.split(/(\{\{\d+\}\})/);
	const filledIn = parts.map((part) => {
		const position = /^\{\{(\d+)\}\}$/.exec(part)?.[1];
		if (position === undefined) return part;
		if (!(position in variables)) return element('mark', { class: 'missing' }, part);
		return element('mark', { title: part }, ...withLinks(variables[position]));
	});
	return [element('p', {}, ...filledIn)];
}

function variableList(variables) {
	const rows = Object.entries(variables)
		.sort(([one], [other]) => one - other)
		.flatMap(([position, value]) => [
			element('dt', {}, `{{${position}}}`),
			element('dd', {}, ...withLinks(value)),
		]);
	if (rows.length > 0) return element('dl', {}, ...rows);
	return element('p', { class: 'no-variables' }, 'A template without variables');
}

function textBubble({ text, at }) {
	const bubble = element(
		'article',
		{ class: 'bubble from-customer', 'aria-label': 'Customer' },
		element('p', {}, text),
		element('footer', {}, time(at)),
	);
	return { element: bubble, update() {} };
}

function formBubble(onChangeForm) {
	const bubble = element('article', { class: 'bubble from-customer', 'aria-label': 'Customer' });
	return {
		element: bubble,
		update(submission) {
			const { formData, at, changedAt } = submission;
			const change = element('button', { type: 'button', class: 'link' }, 'Change');
			change.addEventListener('click', () => onChangeForm(submission));
			const fields = Object.entries(formData).flatMap(([name, value]) => [
				element('dt', {}, name),
				element('dd', {}, typeof value === 'string' ? value : JSON.stringify(value)),
			]);
			const when = changedAt ? `Form, changed ${time(changedAt)}` : `Form, ${time(at)}`;
			bubble.replaceChildren(
				element('dl', {}, ...fields),
				element('footer', {}, `${when} `, change),
			);
		},
	};
}
