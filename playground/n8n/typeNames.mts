/** What workflows call the nodes and the credential of the package. */
export const PACKAGE_PREFIX = 'n8n-nodes-business-messaging.';
export const ACTION = `${PACKAGE_PREFIX}businessMessaging`;
export const TRIGGER = `${PACKAGE_PREFIX}businessMessagingTrigger`;
export const CREDENTIAL = 'businessMessagingApi';
