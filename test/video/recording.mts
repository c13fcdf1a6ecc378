import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

const SIZE = { width: 1400, height: 1000 };

/** In the second page, which Chromium itself makes a video of: Playwright's own needs a program that it downloads. */
const RECORDER = `
	const canvas = document.body.appendChild(document.createElement('canvas'));
	Object.assign(canvas, ${JSON.stringify(SIZE)});
	const context = canvas.getContext('2d');
	const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' });
	const parts = [];
	recorder.ondataavailable = ({ data }) => parts.push(data);
	recorder.start(1000);
	window.draw = async (jpeg) => {
		const image = new Image();
		image.src = 'data:image/jpeg;base64,' + jpeg;
		await image.decode();
		context.drawImage(image, 0, 0, canvas.width, canvas.height);
	};
	window.finish = () => new Promise((resolve) => {
		recorder.onstop = async () => {
			const reader = new FileReader();
			reader.onload = () => resolve(reader.result.split(',')[1]);
			reader.readAsDataURL(new Blob(parts));
		};
		recorder.stop();
	});
`;

/** Records what a page shows, until it is stopped. */
export async function startRecording(page: Page) {
	const recorder = await page.context().newPage();
	await recorder.evaluate(RECORDER);
	await page.bringToFront();
	const devtools = await page.context().newCDPSession(page);
	devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
		const drawn = recorder.evaluate(`draw(${JSON.stringify(data)})`);
		const acknowledged = devtools.send('Page.screencastFrameAck', { sessionId });
		// A frame that comes after the end has no page any more.
		Promise.all([drawn, acknowledged]).catch(() => undefined);
	});
	await devtools.send('Page.startScreencast', {
		format: 'jpeg',
		quality: 80,
		maxWidth: SIZE.width,
		maxHeight: SIZE.height,
	});

	return {
		/** Shows words at the bottom, until the next ones. */
		async caption(words: string) {
			await page.evaluate(`(() => {
				const box = document.getElementById('caption') ?? document.body.appendChild(document.createElement('div'));
				box.id = 'caption';
				box.textContent = ${JSON.stringify(words)};
				box.style.cssText = 'position:fixed;z-index:99999;pointer-events:none;left:10%;right:10%;bottom:24px;padding:16px 24px;border-radius:8px;background:rgba(16,24,40,.92);color:#fff;font:22px/1.4 sans-serif;text-align:center';
			})()`);
		},
		async stop(file: string) {
			await devtools.send('Page.stopScreencast');
			const video = Buffer.from(await recorder.evaluate<string>('finish()'), 'base64');
			await writeFile(file, video);
			return video;
		},
	};
}
