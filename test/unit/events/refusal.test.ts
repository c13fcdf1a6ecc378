import {
	demandAccepted,
	ignoredTest,
	refusedTest,
} from '../../../nodes/BusinessMessaging/events/refusal';

it.each<[number, string, RegExp]>([
	[401, 'the token is missing or wrong', /Test URL with \?token=/],
	[403, 'address "192.0.2.1" not allowed', /IP Allowlist/],
	[400, 'The body is not valid JSON', /dashboard/],
	[413, 'The body is over 1 MiB', /smaller/],
	[500, 'Trigger On is "x". Choose them from the list.', /listen again/],
])(
	'a test event that was answered %d ends its run with why and what to do',
	(status, why, remedy) => {
		const refused = () => demandAccepted([refusedTest(status, why)]);
		expect(refused).toThrow(`The test event was refused: ${why}`);
		expect(refused).toThrow(expect.objectContaining({ remedy: expect.stringMatching(remedy) }));
	},
);

it.each([
	[
		'notChosen',
		'"message.read" is not among the events',
		'Choose this event there, or cause one that is chosen.',
	],
	[
		'tooOld',
		'it is older than 10 minutes',
		'Raise Max Event Age under Options, or cause a new event.',
	],
] as const)('one that was ignored as %s does so as well: %s', (why, reason, remedy) => {
	const message = `The test event was ignored: ${reason}`;
	expect(() => demandAccepted([ignoredTest(why, reason)])).toThrow(
		expect.objectContaining({ message, remedy }),
	);
});

it.each([[[]], [[{ json: { event: 'message.read' } }]]])('%j is no refused event', (items) => {
	expect(() => demandAccepted(items)).not.toThrow();
});
