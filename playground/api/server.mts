import { Ajv, type ValidateFunction } from 'ajv';
import { fastify } from 'fastify';
import { apiRoutes, badUrl } from './apiRoutes.mts';
import type { ApiCall } from './calls.mts';
import type { Delivery } from './deliveryAttempt.mts';
import type { StoredMessage } from './messages.mts';
import document from './openapi.json' with { type: 'json' };
import { overview } from './overview.mts';
import { pages } from './pages.mts';
import { playgroundRoutes } from './playgroundRoutes.mts';
import { defaultSettings, type Settings } from './settings.mts';
import { standInModel } from './standInModel.mts';
import { createState } from './state.mts';
import type { EmitOptions, Emitted } from './webhooks.mts';

export type { Settings } from './settings.mts';
export type { EmitOptions, Emitted } from './webhooks.mts';

export interface LocalApi {
	/** For example http://127.0.0.1:4010 */
	url: string;
	/** May be changed at run time, but for host and port. */
	settings: Settings;
	/** Every request below /api, unless `recordCalls` is off. */
	calls: ApiCall[];
	messages: Map<string, StoredMessage>;
	/** Every attempt to deliver an event, unless `recordCalls` is off. */
	deliveries: Delivery[];
	/** Who receives the events, as the dashboard would have it. May be replaced or changed. */
	webhookUrls: string[];
	/** This and the following resolve when the event has been accepted or given up everywhere. */
	customerWrites(from: string, text: string): Promise<Emitted>;
	customerSubmits(from: string, formData: Record<string, unknown>): Promise<Emitted>;
	/** Rejects when no form was submitted under this id. */
	customerUpdates(submissionId: string, formData: Record<string, unknown>): Promise<Emitted>;
	emit(event: string, data: object, options?: EmitOptions): Promise<Emitted>;
	close(): Promise<void>;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
// A message id may be longer than Fastify's 100 characters.
const LONGEST_PATH_PARAMETER = 4096;

const ajv = new Ajv({ formats: { uri: (text: string) => URL.canParse(text) } });
const validators = new Map<string, ValidateFunction>();

/** Fastify would compile each schema again for each server, and the tests start hundreds. */
function validatorOf(schema: object): ValidateFunction {
	const text = JSON.stringify(schema);
	const validator = validators.get(text) ?? ajv.compile(schema);
	validators.set(text, validator);
	return validator;
}

/**
 * The whole API document as a server on this machine.
 * @param inContainer listen for the other containers as well: which of its ports others reach, the container says
 */
export async function startLocalApi(
	given: Partial<Settings> = {},
	{ inContainer = false } = {},
): Promise<LocalApi> {
	const settings = { ...defaultSettings(), ...given };
	if (!LOOPBACK.includes(settings.host)) {
		throw new Error(`The local API listens on a loopback address only, not on ${settings.host}.`);
	}
	const state = createState(settings);
	const { customer, timers, webhooks } = state;

	const app = fastify({
		exposeHeadRoutes: false,
		frameworkErrors: badUrl(state),
		forceCloseConnections: true,
		routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
	});
	app.setValidatorCompiler(({ schema }) => validatorOf(schema as object));
	await app.register(apiRoutes(state), { prefix: '/api' });
	await app.register(playgroundRoutes(state), { prefix: '/playground' });
	await app.register(standInModel, { prefix: '/stand-in-model/v1' });
	app.get('/openapi.json', (_request, reply) => reply.send(document));
	await app.register(pages(() => overview(state, url)));
	const host = inContainer ? '0.0.0.0' : settings.host;
	const url = await app.listen({ host, port: settings.port });

	return {
		url,
		settings,
		calls: state.calls,
		messages: state.messages,
		deliveries: webhooks.deliveries,
		get webhookUrls() {
			return webhooks.urls;
		},
		set webhookUrls(urls: string[]) {
			webhooks.urls = urls;
		},
		customerWrites: customer.writes,
		customerSubmits: customer.submits,
		customerUpdates: customer.updates,
		emit: webhooks.emit,
		async close() {
			timers.stop();
			webhooks.stop();
			await app.close();
		},
	};
}
