import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../answer';
import { REMAINING_HEADER, RESET_HEADER } from '../api';

/** `options.rawResponse`: the envelope (2.1) with the HTTP status and the rate-limit headers (8.1). */
export function rawOutput({ body, status, headers }: Answer): IDataObject {
	return withoutErrorKey({
		...(body as IDataObject),
		httpStatus: status,
		rateLimitRemaining: headers[REMAINING_HEADER] as string | undefined,
		rateLimitReset: headers[RESET_HEADER] as string | undefined,
	});
}

/** n8n takes an item with a top-level `error` for a failed one, so such a field is renamed. */
export function withoutErrorKey(json: IDataObject): IDataObject {
	if (!('error' in json)) return json;
	const { error, ...rest } = json;
	return { ...rest, errorDetails: error };
}
