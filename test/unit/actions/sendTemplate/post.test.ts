import { withNotes } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/post';

it.each([
	[['message_id', 'status', 'preview', 'cost'], { message_id: 'm1', status: 'sent', cost: 1 }],
	[['status', 'preview', 'message_id'], { status: 'sent', message_id: 'm1' }],
	[['message_id', 'cost', 'preview'], { message_id: 'm1', cost: 1 }],
])('what is added stands at its place in %j', (names, json) => {
	const noted = withNotes(json, { preview: 'Hi' });
	expect(Object.keys(noted)).toEqual(names);
	expect(noted).toEqual({ ...json, preview: 'Hi' });
});
