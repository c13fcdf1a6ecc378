import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

/**
 * Many similar objects in little space. n8n stores a text, or an object, that occurs several times
 * in an execution once: so the names of the fields are kept once, and equal values are one.
 */
export interface Packed {
	shapes: string[][];
	/** By item: the number of its shape, and the values of its fields. */
	rows: Record<string, unknown[]>;
}

/** Prices and the like, which many objects have in common. */
const MAX_SHARED = 100;

/** @returns a function that adds an object under a number */
export function packInto(packed: Packed): (key: number, json: IDataObject) => void {
	const shapes = new Map(packed.shapes.map((fields, shape) => [JSON.stringify(fields), shape]));
	const known = new Map<string, unknown>();
	const shared = (value: unknown) => {
		if (typeof value !== 'object' || value === null) return value;
		const text = JSON.stringify(value);
		if (!known.has(text) && known.size < MAX_SHARED) known.set(text, value);
		return known.get(text) ?? value;
	};
	const shapeOf = (fields: string[]) => {
		const text = JSON.stringify(fields);
		const shape = shapes.get(text) ?? packed.shapes.push(fields) - 1;
		shapes.set(text, shape);
		return shape;
	};
	return (key, json) => {
		const fields = Object.entries(json).filter(([, value]) => value !== undefined);
		const values = fields.map(([, value]) => shared(value));
		packed.rows[key] = [shapeOf(fields.map(([name]) => name)), ...values];
	};
}

export function unpack({ shapes, rows }: Packed): Array<[number, IDataObject]> {
	return Object.entries(rows).map(([key, [shape, ...values]]) => [
		Number(key),
		Object.fromEntries(
			shapes[Number(shape)].map((field, index) => [field, deepCopy(values[index] as IDataObject)]),
		) as IDataObject,
	]);
}
