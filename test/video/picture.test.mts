import { readFile, writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { webhookUrl, withToken } from '../../playground/n8n/publish.mts';
import { actionWorkflow } from '../support/actionWorkflow.mts';
import { browserOfFile } from '../support/browser.mts';
import { editorOfFile } from '../support/editorOfFile.mts';
import { openPhonePage } from '../support/phonePage.mts';
import { triggerWorkflow } from '../support/triggerWorkflow.mts';

const SECRET = 'aLongRandomSecretOfLettersAndDigits';
const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';
const REPLY = 'Great, thank you!';
const MAX_BYTES = 1_000_000;
const LONGEST_MS = 16_000;

const opened = editorOfFile('My account', { webhookSecret: SECRET }, { scale: 2 });
const file = browserOfFile();
jest.setTimeout(600_000);

/** Of the picture: a caption above n8n at the left and the phone at the right. */
const SIZE = { width: 1000, height: 540 };
const EDITOR = { x: 16, y: 58, width: 610, height: 466 };
const PHONE = { x: 642, y: 58, width: 342, height: 466 };
/** Frames name a color by one byte; this one stands for "as before". */
const UNCHANGED = 255;

/** In a page of its own, which draws the frames and makes the GIF of them. */
const STUDIO = `
	const { GIFEncoder, quantize, applyPalette } = gifenc;
	const [SIZE, EDITOR, PHONE] = ${JSON.stringify([SIZE, EDITOR, PHONE])};
	const canvas = Object.assign(document.createElement('canvas'), SIZE);
	const context = canvas.getContext('2d', { willReadFrequently: true });
	const frames = [];
	const load = async (png) => {
		const image = new Image();
		image.src = 'data:image/png;base64,' + png;
		await image.decode();
		return image;
	};
	window.draw = async ({ caption, editor, phone, ms }) => {
		context.fillStyle = '#eceaf4';
		context.fillRect(0, 0, SIZE.width, SIZE.height);
		context.fillStyle = '#211d33';
		context.font = '600 24px system-ui, sans-serif';
		context.fillText(caption, EDITOR.x, 39);
		for (const [png, { x, y, width, height }] of [[editor, EDITOR], [phone, PHONE]]) {
			context.drawImage(await load(png), x, y, width, height);
			context.strokeStyle = '#dcd9e8';
			context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
		}
		frames.push({ pixels: context.getImageData(0, 0, SIZE.width, SIZE.height).data, ms });
	};
	window.encode = async () => {
		const sample = frames.filter((_, index) => index % 8 === 0).concat(frames.at(-1));
		const pixels = await new Blob(sample.map(({ pixels }) => pixels)).arrayBuffer();
		const palette = quantize(new Uint8Array(pixels), ${UNCHANGED});
		palette.push([0, 0, 0]);
		const gif = GIFEncoder();
		let before;
		for (const { pixels, ms } of frames) {
			const colors = applyPalette(pixels, palette);
			const changes = colors.map((color, index) => (before?.[index] === color ? ${UNCHANGED} : color));
			gif.writeFrame(changes, SIZE.width, SIZE.height, {
				palette: before ? undefined : palette,
				delay: ms,
				transparent: true,
				transparentIndex: ${UNCHANGED},
				dispose: 1,
			});
			before = colors;
		}
		gif.finish();
		const reader = new FileReader();
		const read = new Promise((resolve) => (reader.onload = () => resolve(reader.result.split(',')[1])));
		reader.readAsDataURL(new Blob([gif.bytesView()]));
		return await read;
	};
`;

/** What of a page is shown, in proportion to the place that it gets. */
interface Shown {
	page: Page;
	x: number;
	y: number;
	width: number;
}

/** Draws what two pages show, frame by frame. */
async function startGif(browser: Browser, shown: { editor: Shown; phone: Shown }) {
	const studio = await browser.newPage();
	const encoder = await readFile('node_modules/gifenc/dist/gifenc.js', 'utf8');
	await studio.evaluate(`(() => {
		const gifenc = ((exports) => {
			${encoder}
			return exports;
		})({});
		${STUDIO}
	})()`);

	async function picture({ page, x, y, width }: Shown, place: typeof EDITOR) {
		const height = (width * place.height) / place.width;
		const png = await page.screenshot({ clip: { x, y, width, height }, animations: 'disabled' });
		return png.toString('base64');
	}

	return {
		/** Adds what is to be seen now, for so long. */
		async frame(caption: string, ms: number): Promise<void> {
			const editor = await picture(shown.editor, EDITOR);
			const phone = await picture(shown.phone, PHONE);
			await studio.evaluate(`draw(${JSON.stringify({ caption, editor, phone, ms })})`);
		},
		async encode(): Promise<Buffer> {
			return Buffer.from(await studio.evaluate<string>('encode()'), 'base64');
		},
	};
}

test('the picture of the README: from a pasted text to the reply', async () => {
	const { api, n8n, credential, editor } = opened();
	const { page, input, field, output } = editor;
	Object.assign(api.settings, { readAfterMs: 300, deliveredAfterMs: 300, webhookRetries: 0 });
	const phone = await openPhonePage(file.browser, api, {
		viewport: { width: 420, height: 608 },
		deviceScaleFactor: 2,
		reducedMotion: 'reduce',
	});
	const trigger = { events: ['message.incoming'], authentication: 'secretToken' as const };
	const listening = triggerWorkflow(trigger, credential);
	const testUrl = webhookUrl(n8n.url, listening).replace('/webhook/', '/webhook-test/');
	api.webhookUrls = [withToken(testUrl, SECRET)];
	const message = { to: CUSTOMER, templateName: 'order_update' };
	await page.setViewportSize({ width: 1300, height: 860 });
	await editor.show(actionWorkflow(credential, message), 'Business Messaging');
	const left = (await page.getByTestId('node-parameters').boundingBox())!;
	const right = (await output.boundingBox())!;
	const phoneBox = (await phone.page.locator('.phone').boundingBox())!;
	const gif = await startGif(file.browser, {
		editor: { page, x: left.x, y: right.y, width: right.x + right.width - left.x },
		phone: { page: phone.page, ...phoneBox },
	});
	let totalMs = 0;
	const frame = async (caption: string, ms: number) => {
		totalMs += ms;
		await gif.frame(caption, ms);
	};

	const text = field('templateText').getByRole('textbox');
	await frame('1. Paste the text of your template', 1800);
	await editor.paste(text, TEMPLATE);
	await input('variable3').waitFor();
	await page.getByText('Template Name', { exact: true }).evaluate((label) => {
		label.style.scrollMarginTop = '16px';
		label.scrollIntoView();
	});
	await frame('2. Each placeholder becomes a field', 1800);
	for (const [index, value] of ['Asha', 'A-17', 'Friday'].entries()) {
		for (const letter of value) {
			await input(`variable${index + 1}`).pressSequentially(letter);
			await frame('2. Each placeholder becomes a field', 110);
		}
	}
	await frame('2. Each placeholder becomes a field', 600);
	await editor.execute();
	await frame('3. Send', 400);
	await output.getByText('1 message sent').waitFor();
	await page.locator('.el-notification__closeBtn').click();
	await output.getByText('Schema', { exact: true }).click();
	await output.getByText('sent_at').waitFor();
	await phone.fromBusiness.getByText('Read').waitFor();
	await frame('4. The phone rings', 2600);

	await editor.show(listening, 'Trigger');
	await page.getByTestId('trigger-execute-button').click();
	await page.getByTestId('trigger-listening').waitFor();
	await frame('5. The customer replies', 1000);
	const box = phone.page.getByLabel('Message');
	for (const part of REPLY.match(/.{1,3}/g)!) {
		await box.pressSequentially(part);
		await frame('5. The customer replies', 150);
	}
	await frame('5. The customer replies', 300);
	await box.press('Enter');
	await output.getByText(REPLY).waitFor();
	await phone.fromCustomer.getByText(REPLY).waitFor();
	await frame('6. The reply starts your workflow', 3500);

	const picture = await gif.encode();
	expect(picture.subarray(0, 6).toString()).toBe('GIF89a');
	expect(picture.length).toBeLessThanOrEqual(MAX_BYTES);
	expect(totalMs).toBeLessThanOrEqual(LONGEST_MS);
	await writeFile('docs/first-message.gif', picture);
});
