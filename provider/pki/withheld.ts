/**
 * What stands for each secret in a state without secrets: 32 bytes in base64, so that it is taken as a key or a token. No
 * cluster has it as its own.
 */
export const WITHHELD = Buffer.from("withheld-secret-withheld-secret!").toString("base64");
