export type Category = 'authentication' | 'marketing' | 'utility' | 'service';

/** INR per message, section 8.2 of the API document. Not the nodes' own table: it is what their tests measure it by. */
export const PRICES: Record<Category, number> = {
	authentication: 0.115,
	utility: 0.115,
	marketing: 0.8631,
	service: 0,
};
