import type { IDataObject } from 'n8n-workflow';

import {
	packInto,
	unpack,
	type Packed,
} from '../../../../nodes/BusinessMessaging/actions/sentBefore/packed';

function packedOf(objects: IDataObject[]): Packed {
	const packed: Packed = { shapes: [], rows: {} };
	const add = packInto(packed);
	for (const [key, json] of objects.entries()) add(key, json);
	return JSON.parse(JSON.stringify(packed)) as Packed;
}

it('packed objects come out as they went in, with their fields in order', () => {
	const objects = [
		{ id: 'a', cost: { amount: 1 }, note: null },
		{ id: 'b', cost: { amount: 1 }, note: '' },
		{ note: 'other fields', id: 'c', list: [1, { deep: true }] },
		{},
	];
	const unpacked = unpack(packedOf(objects));
	expect(JSON.stringify(unpacked)).toBe(JSON.stringify([...objects.entries()]));
});

it('a field without a value is left out, as in what n8n stores', () => {
	expect(unpack(packedOf([{ id: 'a', reset: undefined }]))).toEqual([[0, { id: 'a' }]]);
});

it('the names of fields are kept once, also by later tries', () => {
	const packed = packedOf([{ id: 'a' }, { id: 'b' }, { name: 'c' }]);
	packInto(packed)(3, { id: 'd' });
	expect(packed.shapes).toEqual([['id'], ['name']]);
});

it('equal objects are one, which n8n stores once', () => {
	const packed: Packed = { shapes: [], rows: {} };
	const add = packInto(packed);
	add(0, { cost: { amount: 1 } });
	add(1, { cost: { amount: 1 } });
	add(2, { cost: { amount: 2 } });
	expect(packed.rows[1][1]).toBe(packed.rows[0][1]);
	expect(packed.rows[2][1]).toEqual({ amount: 2 });
});

it('up to a hundred objects are one with their equals, however many texts stand between them', () => {
	const packed: Packed = { shapes: [], rows: {} };
	const add = packInto(packed);
	for (let row = 0; row < 101; row++) add(row, { id: `id ${row}`, none: null });
	const amounts = Array.from({ length: 101 }, (_, amount) => amount);
	const [first, second] = [1000, 2000].map((from) =>
		amounts.map((amount) => {
			add(from + amount, { cost: { amount } });
			return packed.rows[from + amount][1];
		}),
	);
	expect(second).toEqual(first);
	expect(amounts.filter((amount) => second[amount] === first[amount])).toEqual(
		amounts.slice(0, 100),
	);
});

it('what comes out can be changed without changing another', () => {
	const packed: Packed = { shapes: [], rows: {} };
	const add = packInto(packed);
	add(0, { cost: { amount: 1 } });
	add(1, { cost: { amount: 1 } });
	const [[, first], [, second]] = unpack(packed);
	(first.cost as IDataObject).amount = 5;
	expect(second).toEqual({ cost: { amount: 1 } });
});
