import { hintAbout } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/publicLink';

it.each([
	'http://localhost:5678',
	'http://127.0.0.1:5678',
	'https://192.168.1.7',
	'http://n8n:5678',
])('of a link to %s it is told that no customer can open it', (origin) => {
	const hint = hintAbout(`${origin}/webhook-waiting/1/2?signature=secret`)!;
	const { message } = hint;
	expect(message).toContain(`The link leads to ${origin},`);
	expect(message).toContain('WEBHOOK_URL');
	expect(message).not.toContain('secret');
	expect(hint).toMatchObject({ type: 'warning', location: 'outputPane' });
});

it('of a public link nothing is told', () => {
	expect(hintAbout('https://n8n.example.com/webhook-waiting/1/2')).toBeUndefined();
});
