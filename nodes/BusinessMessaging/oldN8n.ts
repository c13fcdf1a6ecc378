import { NodeConnectionTypes } from 'n8n-workflow';

// n8n puts this into its log and goes on without the package. It would call the TypeError that comes otherwise a
// wrong name of the class.
if (NodeConnectionTypes === undefined) {
	throw new Error(
		'n8n-nodes-business-messaging needs n8n 1.85 or newer. Update n8n, or remove the package under Settings → Community nodes.',
	);
}
