import * as ipaddr from 'ipaddr.js';

/** The package has it once, as a file that both nodes and the credential load. */
export { ipaddr };
