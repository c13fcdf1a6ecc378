import {
	description,
	followed,
	schemaViolations,
	type Operation,
	type Schema,
} from './description.mts';

type Headers = Record<string, string | string[] | undefined>;

export interface SentRequest {
	method: string;
	/** Below the base URL, with the query if there is one. */
	path: string;
	/** Names in any case. */
	headers: Headers;
	/** Parsed, or the text as it was sent. */
	body?: unknown;
}

export interface ReceivedAnswer {
	method: string;
	path: string;
	status: number;
	headers: Headers;
	body?: unknown;
}

/** Where a request departs from the API document; empty = nowhere. */
export function contractViolations(request: SentRequest): string[] {
	const found = operationOf(request.method, request.path);
	if (!found) return [`${request.method} ${request.path} is not an endpoint`];
	return [
		...keyViolations(request.headers),
		...pathViolations(found),
		...requestBodyViolations(found.operation, request),
	];
}

/** What a request has that the document neither names nor forbids, and that such APIs often refuse. */
export function undocumentedParts({ method, path, body }: SentRequest): string[] {
	const found = operationOf(method, path);
	if (!found) return [];
	const query = path.includes('?') ? ['the endpoint takes no query'] : [];
	const schema = bodySchemaOf(found.operation);
	const sent = parsed(body);
	if (!schema || typeof sent !== 'object' || sent === null) return query;
	const known = Object.keys(followed(schema).properties ?? {});
	const further = Object.keys(sent).filter((field) => !known.includes(field));
	const { templateVariables } = sent as { templateVariables?: unknown };
	return [
		...query,
		...further.map((field) => `body has a further field (${field})`),
		...Object.entries(templateVariables ?? {})
			.filter(([, value]) => typeof value === 'string' && UNFIT.test(value))
			.map(([position]) => `the value of variable ${position} has ${UNFIT_PARTS}`),
	];
}

/** What messaging networks refuse in a value. */
const UNFIT = /[\n\r\t]| {5}/;
const UNFIT_PARTS = 'a line break, a tab or more than four spaces in a row';

/** The same for an answer. An error may have any body. */
export function answerViolations(answer: ReceivedAnswer): string[] {
	const found = operationOf(answer.method, answer.path);
	if (!found) return [`${answer.method} ${answer.path} is not an endpoint`];
	const reference = found.operation.responses[answer.status];
	if (!reference) return [`status ${answer.status} is not one of the document`];
	const response = followed(reference);
	const violations: string[] = [];
	for (const [name, each] of Object.entries(response.headers ?? {})) {
		const { required, schema } = followed(each);
		const value = headerOf(answer.headers, name);
		if (value !== undefined) violations.push(...schemaViolations(schema, value, name));
		else if (required) violations.push(`${name} is missing`);
	}
	const json = response.content?.['application/json'];
	if (!json) return violations;
	if (mediaTypeOf(answer.headers) !== 'application/json') {
		violations.push('the answer is not application/json');
	}
	return [...violations, ...schemaViolations(json.schema, parsed(answer.body), 'body')];
}

/** The same for the body of a webhook request, parsed or as text. */
export function eventViolations(body: unknown): string[] {
	const event = parsed(body);
	const name = (event as { event?: unknown } | null)?.event;
	const webhook = typeof name === 'string' ? description.webhooks[name] : undefined;
	if (!webhook) return [`event ${JSON.stringify(name)} is not one of the document`];
	const schema = followed(webhook).post?.requestBody?.content?.['application/json']?.schema;
	return schemaViolations(schema ?? {}, event, 'event');
}

interface Found {
	operation: Operation;
	pathParameters: Record<string, string>;
}

function operationOf(method: string, path: string): Found | undefined {
	const [plainPath] = path.split('?');
	for (const [template, item] of Object.entries(description.paths)) {
		const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
		const match = new RegExp(`^${pattern}$`).exec(plainPath);
		const operation = item[method.toLowerCase()];
		if (match && operation) return { operation, pathParameters: { ...match.groups } };
	}
	return undefined;
}

function keyViolations(headers: Headers): string[] {
	const { name } = description.components.securitySchemes.apiKey;
	return headerOf(headers, name) ? [] : [`${name} is missing`];
}

function pathViolations({ operation, pathParameters }: Found): string[] {
	return (operation.parameters ?? []).flatMap(({ name, schema }) =>
		schemaViolations(schema, decodeURIComponent(pathParameters[name]), name),
	);
}

function requestBodyViolations(operation: Operation, { headers, body }: SentRequest): string[] {
	const schema = bodySchemaOf(operation);
	if (!schema) return [];
	if (body === undefined || body === '') return ['the body is missing'];
	const violations =
		mediaTypeOf(headers) === 'application/json' ? [] : ['Content-Type is not application/json'];
	return [...violations, ...schemaViolations(schema, parsed(body), 'body')];
}

function bodySchemaOf({ requestBody }: Operation): Schema | undefined {
	return requestBody?.content?.['application/json']?.schema;
}

function headerOf(headers: Headers, name: string): string | undefined {
	const key = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
	const value = key === undefined ? undefined : headers[key];
	return value === undefined ? undefined : String(value);
}

function mediaTypeOf(headers: Headers): string | undefined {
	return headerOf(headers, 'content-type')?.split(';')[0].trim().toLowerCase();
}

/** Text that is not JSON stays text, which then is not the object that the schema asks for. */
function parsed(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}
