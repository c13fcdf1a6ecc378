import { dataOf } from '../../nodes/BusinessMessaging/api';

it.each([undefined, '<html>', {}, { data: null }, { data: [] }])(
	'the body %j has no data',
	(body) => {
		expect(dataOf({ status: 200, headers: {}, body })).toBeUndefined();
	},
);
