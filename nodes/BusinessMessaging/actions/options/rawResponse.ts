import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { type ApiResponse, REMAINING_HEADER, RESET_HEADER } from '../../api';

export const rawResponseField = {
	displayName: 'Raw Response',
	name: 'rawResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to output the whole response of the API, with its HTTP status and rate limit, instead of the message fields',
} as const satisfies INodeProperties;

/** The data of a response; with Raw Response the envelope (2.1), the HTTP status and the rate-limit headers (8.1). */
export function outputOf(
	{ rawResponse }: { rawResponse: boolean },
	{ data, response }: { data: IDataObject; response: ApiResponse },
): IDataObject {
	const json = !rawResponse
		? data
		: {
				...(response.body as IDataObject),
				httpStatus: response.status,
				rateLimitRemaining: response.headers[REMAINING_HEADER] as string | undefined,
				rateLimitReset: response.headers[RESET_HEADER] as string | undefined,
			};
	// n8n takes an item with a top-level `error` for a failed item.
	if (!('error' in json)) return json;
	const { error, ...rest } = json;
	return { ...rest, errorDetails: error };
}
