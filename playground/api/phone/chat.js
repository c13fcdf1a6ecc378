import { bubbleOf } from './bubble.js';
import { byId } from './dom.js';
import { createTimeline } from './timeline.js';

const MOST = 500;

/** What was said between the business and one number. Knows the others' too, for when the number changes. */
export function createChat(isShown, onChangeForm) {
	const parent = byId('chat');
	const entries = new Map();
	const timeline = createTimeline(parent, (entry) => bubbleOf(entry, onChangeForm));

	function show() {
		const wasAtEnd = parent.scrollHeight - parent.scrollTop - parent.clientHeight < 40;
		const visible = [...entries.values()].filter(({ number }) => isShown(number));
		timeline.keep(new Set(visible.map(({ id }) => id)));
		timeline.put(visible);
		byId('chat-empty').hidden = visible.length > 0;
		if (wasAtEnd) parent.scrollTop = parent.scrollHeight;
	}

	return {
		show,
		put(changed) {
			if (changed.length === 0) return;
			for (const entry of changed) entries.set(entry.id, entry);
			for (const id of [...entries.keys()].slice(0, -MOST)) entries.delete(id);
			show();
		},
		keep(ids) {
			for (const id of [...entries.keys()]) if (!ids.has(id)) entries.delete(id);
			show();
		},
	};
}
