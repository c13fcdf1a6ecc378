import { createChat } from './chat.js';
import { setUpCompose } from './compose.js';
import { byId } from './dom.js';
import { setUpForm } from './form.js';
import { listen } from './live.js';
import { setUpNumber } from './number.js';
import { createCalls, createDeliveries } from './traffic.js';
import { showDemo } from './workflows.js';

const number = setUpNumber(() => chat.show());
const form = setUpForm(number.current);
const chat = createChat(number.isChosen, form.change);
const calls = createCalls();
const deliveries = createDeliveries();
setUpCompose(number.current);

function put(entries) {
	const of = (...kinds) => entries.filter(({ kind }) => kinds.includes(kind));
	for (const { receivers, customers, ...demo } of of('account')) {
		showDemo(demo);
		byId('no-receiver').hidden = receivers.length > 0;
		number.add(Object.entries(customers));
	}
	const said = of('message', 'customer');
	number.add(said.map((entry) => [entry.number, '']));
	chat.put(said);
	calls.put(of('call'));
	deliveries.put(of('delivery'));
}

listen({
	onState(entries) {
		const ids = new Set(entries.map(({ id }) => id));
		for (const part of [chat, calls, deliveries]) part.keep(ids);
		put(entries);
	},
	onChange: put,
	onConnection(isThere) {
		const connection = byId('connection');
		connection.dataset.live = isThere;
		if (isThere) byId('stage').inert = false;
		connection.textContent = isThere ? 'Live' : 'The local API does not answer. Waiting for it …';
	},
});
