import dns, { Resolver, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP } from "node:net";

/**
 * Makes a Node.js process use the emulated cloud's DNS, like a computer in the cloud's network. Loaded with
 * `node --require`. `EMULATOR_DNS` is the DNS server's address. Names that it doesn't know are looked
 * up elsewhere.
 */
const server = process.env.EMULATOR_DNS;

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;
type Lookup = (hostname: string, options: LookupOptions, callback: Callback) => void;

if (server !== undefined) {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  resolver.setServers([server]);
  const elsewhere = dns.lookup as Lookup;
  const lookup = (hostname: string, given: LookupOptions | number | Callback, last?: Callback) => {
    const callback = typeof given === "function" ? given : last;
    const options = typeof given === "object" ? given : {};
    if (callback === undefined || isIP(hostname) !== 0 || !hostname.includes(".")) {
      elsewhere(hostname, options, callback ?? (() => undefined));
      return;
    }
    resolver.resolve4(hostname, (error, addresses) => {
      const first = error === null ? addresses[0] : undefined;
      if (first === undefined) {
        elsewhere(hostname, options, callback);
      } else if (options.all === true) {
        callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
      } else {
        callback(null, first, 4);
      }
    });
  };
  Object.assign(dns, { lookup });
  // gRPC asks for all addresses, with promises.
  Object.assign(dns.promises, {
    lookup: (hostname: string, options: LookupOptions = {}) =>
      new Promise((resolve, reject) => {
        lookup(hostname, options, (error, address, family) => {
          if (error !== null) {
            reject(error);
          } else {
            resolve(options.all === true ? address : { address, family });
          }
        });
      }),
  });
}
