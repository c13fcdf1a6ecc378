import * as ipaddr from 'ipaddr.js';

/** In the package it is a file of its own, which all classes load. */
export { ipaddr };
