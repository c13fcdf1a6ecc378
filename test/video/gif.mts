import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';

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

export interface Shown {
	/** In proportion to the place that it gets. */
	editor: { page: Page; x: number; y: number; width: number };
	phone: { page: Page; x: number; y: number; width: number };
}

/** Draws what two pages show, frame by frame. */
export async function startGif(browser: Browser, shown: Shown) {
	const studio = await browser.newPage();
	const encoder = await readFile('node_modules/gifenc/dist/gifenc.js', 'utf8');
	await studio.evaluate(`(() => {
		const gifenc = ((exports) => {
			${encoder}
			return exports;
		})({});
		${STUDIO}
	})()`);

	async function picture({ page, x, y, width }: Shown['editor'], place: typeof EDITOR) {
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
