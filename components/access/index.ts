export { hasIssuers } from "./planAuthentication";
