import { outlineDocuments } from "../../../provider/config/effects/outline";
import { changesEtcdTrust, etcdAuthorities } from "../../../provider/config/etcdTrust";
import { joinCertificates } from "../../../provider/pki/pem";
import { generateAuthority } from "../../../provider/pki/rotation/generateAuthority";

let old: string;
let next: string;

beforeAll(async () => {
  [old, next] = (await Promise.all([generateAuthority("etcdCa"), generateAuthority("etcdCa")])).map(
    ({ crt }) => crt,
  ) as [string, string];
});

/** The outline of a machine whose etcd has these CAs. */
const machine = (...certificates: readonly string[]) =>
  outlineDocuments([
    { version: "v1alpha1", cluster: { etcd: { ca: { crt: joinCertificates(certificates) } } } },
  ]);

describe("the CAs that etcd trusts", () => {
  it("are read from an outline, the issuing one first", () => {
    const [first = "", second = ""] = etcdAuthorities(machine(old, next));
    expect(etcdAuthorities(machine(old))).toEqual([first]);
    expect(etcdAuthorities(machine(next, old))).toEqual([second, first]);
    expect(first).toMatch(/^«certificate sha256:[0-9a-f]{8}»$/);
    expect(etcdAuthorities({ machine: {} })).toEqual([]);
  });

  it("need a reboot if there are more or fewer, not if another one issues", () => {
    expect(changesEtcdTrust(machine(old), machine(old, next))).toBe(true);
    expect(changesEtcdTrust(machine(old, next), machine(next, old))).toBe(false);
    expect(changesEtcdTrust(machine(next, old), machine(next))).toBe(true);
    expect(changesEtcdTrust(machine(next), machine(next))).toBe(false);
  });
});
