import type { GivenAnswer } from './givenAnswer';

/** What is used here of an express response. */
export interface PageResponse {
	set: (headers: Record<string, string>) => PageResponse;
	status: (code: number) => PageResponse;
	send: (body: unknown) => PageResponse;
	json: (body: unknown) => PageResponse;
}

const MAX_CLAIMS = 1000;

interface Claim {
	answer: GivenAnswer;
	isStored: Promise<boolean>;
}

/** By question. n8n turns away what comes after an answer, but not what comes at the same moment. */
const claims = new Map<string, Claim>();

/**
 * The answer that counts when several arrive at once in this process. A later one waits until it is
 * known what became of the first, and takes its place if that was not stored.
 * @param store lets n8n store this answer, and tells whether it did
 * @returns the earlier answer; undefined when this one is the first
 */
export async function claimAnswer(
	question: string,
	answer: GivenAnswer,
	store: () => Promise<boolean>,
): Promise<GivenAnswer | undefined> {
	for (let earlier = claims.get(question); earlier; earlier = claims.get(question)) {
		if (await earlier.isStored) return earlier.answer;
	}
	const [oldest] = claims.keys();
	if (claims.size >= MAX_CLAIMS) claims.delete(oldest);
	const storing = store().then((stored) => {
		if (!stored) claims.delete(question);
		return stored;
	});
	claims.set(question, { answer, isStored: storing });
	return undefined;
}

/**
 * n8n answers with `send` when the workflow goes on, and with `json` when it does not, such as when
 * another process was faster. A person gets a page in either case.
 * @returns whether the answer was stored
 */
export async function takeOver(response: PageResponse, otherwise: string): Promise<boolean> {
	const send = response.send.bind(response);
	return await new Promise((resolve) => {
		response.send = (body) => {
			resolve(true);
			return send(body);
		};
		response.json = () => {
			resolve(false);
			response.status(409);
			return send(otherwise);
		};
	});
}
