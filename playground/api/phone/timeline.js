/**
 * Shows entries in the order of their time. `make(entry)` gives an element and a function that
 * brings it up to date: what the user has opened or focused stays.
 */
export function createTimeline(parent, make, { newestFirst = false, most = Infinity } = {}) {
	const shown = new Map();

	function place(element, at) {
		const comesAfter = ({ dataset }) => (newestFirst ? dataset.at <= at : dataset.at > at);
		const next = [...parent.children].find((child) => child.dataset.at && comesAfter(child));
		parent.insertBefore(element, next ?? null);
	}

	function put(entry) {
		let item = shown.get(entry.id);
		if (!item) {
			item = make(entry);
			shown.set(entry.id, item);
			item.element.dataset.at = entry.at;
			place(item.element, entry.at);
		}
		if (item.entry !== entry) item.update(entry);
		item.entry = entry;
	}

	function remove(id) {
		shown.get(id).element.remove();
		shown.delete(id);
	}

	return {
		put(entries) {
			entries.forEach(put);
			for (const id of [...shown.keys()].slice(0, -most)) remove(id);
		},
		/** Removes all others. */
		keep(ids) {
			for (const id of [...shown.keys()]) if (!ids.has(id)) remove(id);
		},
	};
}
