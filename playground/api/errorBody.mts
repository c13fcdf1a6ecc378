import { escaped } from './html.mts';
import type { ErrorShape } from './settings.mts';
import type { Refusal } from './wellKnown.mts';

export interface ErrorBody {
	contentType?: string;
	text?: string;
}

/** The document does not show the shape of an error: these are the ways in which such APIs answer. */
export function errorBody(shape: ErrorShape, { code, message }: Refusal): ErrorBody {
	return BODIES[shape](code, message);
}

const BODIES: Record<ErrorShape, (code: string | number, message: string) => ErrorBody> = {
	nested: (code, message) => json({ success: false, error: { code, message } }),
	flat: (code, message) => json({ code, message }),
	list: (code, message) => json({ errors: [{ code, message }] }),
	errorData: (code, message) => json({ error: { code, error_data: { details: message } } }),
	text: (code, message) => ({
		contentType: 'text/plain; charset=utf-8',
		text: `Error ${code}: ${message}`,
	}),
	html: (code, message) => ({
		contentType: 'text/html; charset=utf-8',
		text: `<!doctype html><html><head><title>${escaped(message)}</title></head><body><h1>${escaped(message)}</h1><p>Error ${code}</p></body></html>`,
	}),
	empty: () => ({}),
};

function json(body: object): ErrorBody {
	return { contentType: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}
