/** One of the workflows that the demo has set up in n8n, as the phone page shows it. */
export interface DemoWorkflow {
	name: string;
	/** In the editor. */
	url: string;
	/** What to try. */
	about: string;
	link?: { text: string; url: string };
	/** What it sends. */
	templates: string[];
	/** Its webhook URL, without the token. */
	receiver?: string;
}

export interface DemoScene {
	editor: string;
	login: string;
	workflows: DemoWorkflow[];
}

const LOOK_EVERY_MS = 1000;
const QUESTION = /https?:\/\/\S+\/webhook-waiting\/\S+/;

/** What the demo has set up around the server; nothing when the server runs alone. */
export function createDemo() {
	const answered = new Set<string>();
	const lookedAt = new Map<string, number>();

	/** Opening a link is no answer. Once there is one, or its time is over, n8n shows a page without a form. */
	async function look(link: string): Promise<void> {
		const response = await fetch(link);
		if (response.ok && !(await response.text()).includes('<form')) answered.add(link);
	}

	return {
		scene: { editor: '', login: '', workflows: [] } as DemoScene,

		/** Whether the question behind a link in these values has been answered, as was known a moment ago. */
		isAnswered(values: Record<string, string>, now: number): boolean {
			const [link] = QUESTION.exec(Object.values(values).join(' ')) ?? [];
			if (!link || URL.parse(link)?.host !== URL.parse(this.scene.editor)?.host) return false;
			if (!answered.has(link) && now - (lookedAt.get(link) ?? 0) > LOOK_EVERY_MS) {
				lookedAt.set(link, now);
				look(link).catch(() => undefined);
			}
			return answered.has(link);
		},
	};
}

export type Demo = ReturnType<typeof createDemo>;
