import type { Category } from '../api';

/** 8.2, INR per message. The API's own `cost` is the truth; these are for estimates. */
export const PRICES: Record<Category, number> = {
	authentication: 0.115,
	utility: 0.115,
	marketing: 0.8631,
	service: 0,
};

export const CURRENCY = 'INR';
