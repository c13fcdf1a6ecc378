import { createServer } from 'node:tls';

/** For 127.0.0.1, signed by itself; protects nothing. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKlIPXSgxFzfb3aDV
a7P4PS26Ehretu7hwYiIiVMzCuShRANCAAQj3Ue+N2UXTZZ1+0EfuPYU7Ns8PoRY
pM4tTLK3T02/qFjNMBRoHl3VSJwv+pzYlQ8YjjsKmAHJDD560KEmEoej
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUEuru6qP80NoWpXmh4C3meq5G/xgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNzE3NDM1OVoYDzIxMjYxMTAz
MTc0MzU5WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQj3Ue+N2UXTZZ1+0EfuPYU7Ns8PoRYpM4tTLK3T02/qFjNMBRoHl3V
SJwv+pzYlQ8YjjsKmAHJDD560KEmEoejo1MwUTAdBgNVHQ4EFgQU+ipglp8Cc+22
dkvmmlCm1GfjkmcwHwYDVR0jBBgwFoAU+ipglp8Cc+22dkvmmlCm1GfjkmcwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiA9yevRMqcjOhInx3V35Gfq
QWnIPphdyavq0MflVBC/3wIgWLkFHiMWL8PUPE0nBM4VmJ/C3WDdR9FL/Kj4+gc3
X5Y=
-----END CERTIFICATE-----`;

/** A server over https that answers each request with these bytes. */
export function createHttpsServer(answer: string) {
	return createServer({ key, cert }, (socket) => socket.once('data', () => socket.end(answer)));
}
