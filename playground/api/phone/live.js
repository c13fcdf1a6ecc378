const RETRY_MS = 2000;

/** Hears from the server what there is and what changes, and connects again by itself. */
export function listen({ onState, onChange, onConnection }) {
	let source;

	function open() {
		source?.close();
		source = new EventSource('/playground/live');
		source.addEventListener('state', ({ data }) => {
			onConnection(true);
			onState(JSON.parse(data));
		});
		source.addEventListener('change', ({ data }) => onChange(JSON.parse(data)));
		source.addEventListener('error', ({ target }) => {
			onConnection(false);
			// The browser gives up for good when something else answers at this address.
			if (target === source && target.readyState === EventSource.CLOSED) setTimeout(open, RETRY_MS);
		});
	}

	// Browsers allow six connections to a server: a page that nobody sees needs none.
	document.addEventListener('visibilitychange', () => {
		if (document.hidden) source.close();
		else open();
	});
	open();
}
