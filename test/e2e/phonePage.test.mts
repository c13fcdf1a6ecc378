import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { CUSTOMER, DEVELOPMENT_KEY } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { expectNoViolations, phonesOfFile } from '../support/phonePage.mts';
import { startWebPage } from '../support/webPage.mts';

// A browser is slow on a busy machine.
jest.setTimeout(120_000);

const openPhone = phonesOfFile();
let api: LocalApi;

beforeEach(async () => {
	api = await startLocalApi({ deliveredAfterMs: 500, webhookBackoffMs: 50 });
});

afterEach(async () => await api.close());

/** As a workflow does it, without one. */
async function sendTemplate(changes: object): Promise<void> {
	const update = { templateName: 'order_update', category: 'utility' };
	await fetch(`${api.url}/api/integrations/messages/send`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': DEVELOPMENT_KEY },
		body: JSON.stringify({ to: CUSTOMER, type: 'template', ...update, ...changes }),
	});
}

test('what others wrote is shown as text, a link can be opened as on a phone, and a refused call shows its answer', async () => {
	const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
	const link = 'https://n8n.example.com/webhook-waiting/1/2?round=1&signature=a';
	const { page, fromCustomer, fromBusiness, calls, write } = await openPhone(api);
	await sendTemplate({ category: 'service' });
	await calls.filter({ hasText: '"code":131047' }).waitFor();
	await sendTemplate({ templateVariables: { 1: html, 2: link } });
	const opened = fromBusiness.getByRole('link', { name: link });
	expect(await opened.getAttribute('href')).toBe(link);
	expect(await opened.getAttribute('rel')).toBe('noopener noreferrer');

	await write(html);
	await api.customerSubmits(CUSTOMER, { [html]: html });
	await sendTemplate({ templateName: html, templateVariables: { 1: html } });
	await eventually('both bubbles', async () => (await fromBusiness.count()) === 2);
	await calls.filter({ hasText: html }).waitFor();
	const bubbles = [
		...(await fromCustomer.allInnerTexts()),
		...(await fromBusiness.allInnerTexts()),
	];
	expect(bubbles).toHaveLength(4);
	for (const text of bubbles) expect(text).toContain(html);
	expect(await page.locator('img, body script').count()).toBe(0);
	expect(await page.title()).toBe("The customer's phone");
});

test('messages of each kind, deliveries that fail and a form that is refused have no fault that axe finds', async () => {
	const refusing = await startWebPage(500);
	api.webhookUrls = [`${refusing.url}/hook?token=secret`];
	const { page, write, fromBusiness, fromCustomer, calls, deliveries } = await openPhone(api);
	await page.getByText('No messages yet.').waitFor();
	await expectNoViolations(page);
	await write('Is it there?');
	await api.customerSubmits(CUSTOMER, { name: 'Mira Shah', interest: 'the tall teapot' });
	await fromCustomer.getByText('the tall teapot').waitFor();
	await sendTemplate({ templateVariables: { 1: 'Asha' } });
	await sendTemplate({ templateName: 'not_known_here', templateVariables: { 1: 'Asha' } });
	await sendTemplate({ to: 'nobody' });
	const delivered = fromBusiness.getByText(/^Delivered/);
	await delivered.nth(1).waitFor();
	await calls.filter({ hasText: 'must match pattern' }).click();
	const retried = deliveries.filter({ hasText: /^500.*Retry 3 of 3 → \/hook/ });
	await retried.first().click();
	expect(await page.content()).not.toContain('secret');
	await expectNoViolations(page);
	await page.getByRole('button', { name: 'Fill In a Form' }).click();
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Fill in Name and Interest.').waitFor();
	await refusing.close();
});
