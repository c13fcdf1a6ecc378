import { eventually } from '../../playground/eventually.ts';
import type { Editor } from './editor.ts';

/** The template text of Send Template in the panel that is open, and the fields of its placeholders. */
export function templateEditor({ page, field, paste }: Editor) {
	const text = field('templateText').getByRole('textbox');
	const fields = page.locator('[data-test-id^="parameter-input-variable"]');

	async function shown(): Promise<string[]> {
		const names = await fields.evaluateAll((all) =>
			all.map((each) => each.getAttribute('data-test-id')),
		);
		return names.flatMap((name) => /-(variable\d+)$/.exec(name ?? '')?.[1] ?? []);
	}

	return {
		/** Waits until the text has these words. */
		async expectText(words: string): Promise<void> {
			await eventually(
				`the text ${words}`,
				async () => (await text.inputValue()).includes(words) || undefined,
			);
		},

		/** Over what is there. */
		async paste(words: string): Promise<void> {
			await paste(text, words);
		},

		/** Key by key, into an empty field. */
		async type(words: string): Promise<void> {
			await text.click();
			await page.keyboard.press('ControlOrMeta+A');
			await page.keyboard.press('Delete');
			await page.keyboard.type(words);
		},

		/** Waits until there are fields for these positions and no others, in this order. */
		async expectFields(...positions: number[]): Promise<void> {
			const expected = positions.map((position) => `variable${position}`).join();
			await eventually(
				`the fields ${expected || '(none)'}`,
				async () => (await shown()).join() === expected || undefined,
			);
			for (const position of positions) {
				const label = page.getByText(`{{${position}}}`, { exact: true });
				await label.first().waitFor();
			}
		},
	};
}
