import { byId, element, time } from './dom.js';
import { createTimeline } from './timeline.js';
import { runsOf } from './workflows.js';

const MOST = 200;

/** The calls of the workflows, newest first. */
export function createCalls() {
	return list('calls', (call) => ({
		state: call.status === null ? 'waiting' : kindOf(call.status),
		status: call.status ?? '…',
		title: `${call.method} ${shortPath(call.path)}`,
		about: whom(call.body),
		problems: call.violations,
		note: kindOf(call.status) === 'wrong' && call.violations.length === 0 ? call.answer : '',
		details: { Path: call.path, Body: call.body, Answer: call.answer },
	}));
}

/** Each try to deliver an event, newest first. */
export function createDeliveries() {
	return list('deliveries', (delivery) => ({
		state: delivery.tookMs === null ? 'waiting' : kindOf(delivery.status),
		status: delivery.status ?? (delivery.tookMs === null ? '…' : '–'),
		title: delivery.event,
		about: `${attemptOf(delivery)} → ${delivery.workflow?.name ?? shortUrl(delivery.receiver)}`,
		problems: delivery.error ? [delivery.error] : [],
		note: delivery.answer,
		workflow: delivery.workflow,
		isIgnored: parsed(delivery.answer)?.status === 'ignored',
		details: { URL: delivery.receiver, Body: delivery.body, Answer: delivery.answer },
	}));
}

function list(id, viewOf) {
	const parent = byId(id);
	const timeline = createTimeline(parent, () => row(viewOf), { newestFirst: true, most: MOST });
	const showEmpty = () => {
		parent.querySelector('.empty').hidden = parent.children.length > 1;
		if (id === 'deliveries') foldIgnored(parent);
	};
	return {
		put(entries) {
			timeline.put(entries);
			showEmpty();
		},
		keep(ids) {
			timeline.keep(ids);
			showEmpty();
		},
	};
}

/** Most events are for other workflows: they are shown when somebody asks for them. */
function foldIgnored(parent) {
	const count = parent.querySelectorAll('[data-is-ignored="true"]').length;
	byId('ignored').hidden = count === 0;
	byId('ignored').querySelector('span').textContent = `Show ${count} ignored`;
}

function row(viewOf) {
	const summary = element('summary');
	const content = element('div', { class: 'row-content' });
	const details = element('details', { class: 'row' }, summary, content);
	return {
		element: details,
		update(entry) {
			const { state, status, title, about, problems, note, workflow, isIgnored, ...view } =
				viewOf(entry);
			details.dataset.isIgnored = Boolean(isIgnored);
			details.dataset.state = problems.length > 0 ? 'wrong' : state;
			summary.replaceChildren(
				element('span', { class: 'chip' }, String(status)),
				element('code', { class: 'title' }, title),
				element('time', {}, time(entry.at)),
				element('span', { class: 'line' }, about),
				...problems.map((problem) => element('span', { class: 'line problem' }, problem)),
				...(note ? [element('code', { class: 'line' }, note)] : []),
			);
			const link = workflow ? [element('p', {}, 'Runs of ', runsOf(workflow))] : [];
			content.replaceChildren(...link, ...Object.entries(view.details).flatMap(block));
		},
	};
}

function block([title, text]) {
	if (!text) return [];
	return [element('h3', {}, title), element('pre', {}, indented(text))];
}

function kindOf(status) {
	return status >= 200 && status <= 299 ? 'good' : 'wrong';
}

const shortPath = (path) => path.replace('/api/integrations/messages', '…');
const shortUrl = (url) => url.replace(/^https?:\/\/[^/]+/, '');

function attemptOf({ attempt, attempts }) {
	return attempt === 1 ? 'First try' : `Retry ${attempt - 1} of ${attempts - 1}`;
}

/** Whom a call is about, as far as its body says. */
function whom(body) {
	const { to, templateName } = parsed(body) ?? {};
	return [templateName, to].filter((value) => typeof value === 'string').join(' → ');
}

function indented(text) {
	const value = parsed(text);
	return value === undefined ? text : JSON.stringify(value, null, 2);
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
