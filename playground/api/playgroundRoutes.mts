import type { FastifyInstance } from 'fastify';
import { UnknownSubmission } from './customer.mts';
import type { DemoScene } from './demo.mts';
import { logOf } from './log.mts';
import type { Settings } from './settings.mts';
import { settingsSchema } from './settingsSchema.mts';
import type { ServerState } from './state.mts';
import type { EmitOptions } from './webhooks.mts';

/** A number or a username. */
const sender = { type: 'string', pattern: '^(?:\\+[1-9]\\d{6,14}|[a-z][\\w.]*)$' };
const formData = { type: 'object' };
const webAddress = { type: 'string', format: 'uri', pattern: '^https?://' };
const text = { type: 'string' };
const demoWorkflow = {
	type: 'object',
	additionalProperties: false,
	required: ['name', 'url', 'about', 'templates'],
	properties: {
		name: text,
		url: webAddress,
		about: text,
		link: {
			type: 'object',
			required: ['text', 'url'],
			properties: { text, url: { type: 'string', pattern: '^(https?:/)?/' } },
		},
		templates: { type: 'array', items: text },
		receiver: webAddress,
	},
};

function bodyOf(properties: Record<string, object>, required = Object.keys(properties)) {
	return { body: { type: 'object', additionalProperties: false, required, properties } };
}

type Form = Record<string, unknown>;

/** What a person with curl, or a demo in another process, drives the server with. */
export function playgroundRoutes(state: ServerState) {
	const { settings, customer, webhooks, demo, live } = state;

	return function register(app: FastifyInstance, _options: object, done: () => void): void {
		// A browser names the page in the header. Any page that it shows could write to this computer.
		app.addHook('onRequest', (request, reply, next) => {
			const { origin } = request.headers;
			if (origin === undefined || URL.parse(origin)?.host === request.headers.host) next();
			else reply.code(403).send(new Error(`This server takes no requests of ${origin}.`));
		});

		app.post<{ Body: { from: string; text: string } }>(
			'/customer/messages',
			{ schema: bodyOf({ from: sender, text: { type: 'string' } }) },
			async ({ body }) => await customer.writes(body.from, body.text),
		);

		app.post<{ Body: { from: string; formData: Form } }>(
			'/customer/forms',
			{ schema: bodyOf({ from: sender, formData }) },
			async ({ body }) => await customer.submits(body.from, body.formData),
		);

		app.put<{ Params: { submissionId: string }; Body: { formData: Form } }>(
			'/customer/forms/:submissionId',
			{ schema: bodyOf({ formData }) },
			async ({ params, body }, reply) => {
				try {
					return await customer.updates(params.submissionId, body.formData);
				} catch (error) {
					if (error instanceof UnknownSubmission) return reply.code(404).send(error);
					throw error;
				}
			},
		);

		app.put<{ Body: { urls: string[] } }>(
			'/webhooks',
			{ schema: bodyOf({ urls: { type: 'array', maxItems: 20, items: webAddress } }) },
			({ body }, reply) => {
				webhooks.urls = body.urls;
				return reply.send({ urls: webhooks.urls });
			},
		);

		app.put<{ Body: DemoScene }>(
			'/demo',
			{
				schema: bodyOf({
					editor: webAddress,
					login: text,
					workflows: { type: 'array', maxItems: 20, items: demoWorkflow },
				}),
			},
			({ body }, reply) => {
				demo.scene = body;
				return reply.send(body);
			},
		);

		app.patch<{ Body: Partial<Settings> }>(
			'/settings',
			{ schema: { body: settingsSchema } },
			({ body }, reply) => reply.send(Object.assign(settings, body)),
		);

		app.post<{ Body: { event: string; data: object } & EmitOptions }>(
			'/events',
			{
				schema: bodyOf(
					{
						event: { type: 'string', minLength: 1 },
						data: { type: 'object' },
						copies: { type: 'integer', minimum: 1, maximum: 100 },
						overlapping: { type: 'boolean' },
					},
					['event', 'data'],
				),
			},
			async ({ body: { event, data, ...options } }) => await webhooks.emit(event, data, options),
		);

		app.post<{ Params: { deliveryId: string } }>(
			'/deliveries/:deliveryId/redeliver',
			async ({ params }, reply) => {
				const delivery = webhooks.deliveries.find(({ id }) => id === params.deliveryId);
				if (!delivery) return reply.code(404).send(new Error('No such delivery'));
				return await webhooks.redeliver(delivery);
			},
		);

		app.post('/reset', (_request, reply) => {
			state.reset();
			reply.code(204).send();
		});

		app.get<{ Querystring: { newest?: string } }>(
			'/log',
			{
				schema: {
					querystring: {
						type: 'object',
						additionalProperties: false,
						properties: { newest: { type: 'string', pattern: '^\\d{1,6}$' } },
					},
				},
			},
			({ query }, reply) => reply.send(logOf(state, Number(query.newest ?? 100))),
		);

		app.get('/live', (_request, reply) => {
			reply.hijack();
			live.open(reply.raw);
		});

		done();
	};
}
