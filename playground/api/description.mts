import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import document from './openapi.json' with { type: 'json' };

export interface Reference {
	$ref?: string;
}

export interface Schema extends Reference {
	properties?: object;
}

export interface Content {
	content?: Record<string, { schema: Schema }>;
}

export interface Header {
	required?: boolean;
	schema: Schema;
}

export interface Operation {
	parameters?: Array<{ name: string; in: string; schema: Schema }>;
	requestBody?: Content;
	responses: Record<string, Reference & Content & { headers?: Record<string, Reference & Header> }>;
}

type PathItem = Reference & Record<string, Operation | undefined>;

/** The OpenAPI description, as its readers need it. */
export const description = document as unknown as {
	paths: Record<string, PathItem>;
	webhooks: Record<string, PathItem>;
	components: { securitySchemes: { apiKey: { name: string } } };
};

/** What a reference outside a schema stands for. */
export function followed<T extends Reference>(value: T): T {
	if (value.$ref === undefined) return value;
	const steps = value.$ref.slice('#/'.length).split('/');
	return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}

// `format` is left to the patterns beside it. `components` is where the references in a schema lead to.
const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strictTypes: false });
ajv.addKeyword('components');

const validators = new WeakMap<Schema, ValidateFunction>();

function validatorOf(schema: Schema): ValidateFunction {
	let validator = validators.get(schema);
	if (!validator) {
		validator = ajv.compile({ ...schema, components: document.components });
		validators.set(schema, validator);
	}
	return validator;
}

/** One sentence per break of the schema. */
export function schemaViolations(schema: Schema, value: unknown, name: string): string[] {
	const validate = validatorOf(schema);
	if (validate(value)) return [];
	// What is wrong with a property's name is an error of its own beside this one.
	const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames');
	return errors.map((error) => sentence(error, name));
}

function sentence({ instancePath, message, params, propertyName }: ErrorObject, name: string) {
	const offender = propertyName ?? params.additionalProperty;
	const detail = offender ?? params.allowedValues ?? params.allowedValue;
	const shown = detail === undefined ? '' : ` (${[detail].flat().join(', ')})`;
	return `${name}${instancePath.replaceAll('/', '.')} ${message}${shown}`;
}
