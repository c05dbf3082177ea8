import { X509Certificate } from "node:crypto";
import { parse } from "yaml";
import type { ClientCredentials, Role } from "../../../provider/pki/clientCredentials";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { clientConfigurationHandler as handler } from "../../../provider/resources/clientConfiguration";
import { createOsCa, issueCredentials } from "../api/testPki";
import { silent } from "../progress";
import { unknownValue } from "./samples";

let certificateAuthority: CertificateAndKey;

beforeAll(async () => {
  certificateAuthority = await createOsCa();
});

function inputs(roles: readonly Role[] = ["os:admin"]) {
  return {
    clusterName: "demo",
    certificateAuthority,
    endpoints: ["10.0.0.1"],
    nodes: ["10.0.0.2"],
    roles,
    lifetimeHours: 1,
  };
}

/** A state whose certificate, of an hour, was issued some hours ago. */
async function stateOfAge(agoHours: number) {
  const { id, state } = await handler.create(inputs(), silent);
  const credentials = await issueCredentials(certificateAuthority, { agoHours });
  return { id, state: { ...state, credentials } };
}

function subjectOf({ crt }: ClientCredentials): string {
  return new X509Certificate(Buffer.from(crt, "base64")).subject;
}

describe("check of ClientConfiguration", () => {
  it("names all problems at once", async () => {
    const roles = ["os:admin", "os:root", "admin"] as unknown[] as Role[];
    const { failures } = await handler.check(undefined, {
      ...inputs(roles),
      endpoints: [],
      lifetimeHours: 100_000,
    });
    expect(failures.map(({ property }) => property)).toEqual([
      "endpoints",
      "roles",
      "roles",
      "lifetimeHours",
    ]);
    expect(failures[1]?.reason).toBe(
      '"os:root" is no role: allowed are "os:admin", "os:operator", "os:reader", "os:etcd:backup"',
    );
    expect(failures[3]?.reason).toContain("100000 hours");
    expect(JSON.stringify(failures)).not.toContain(certificateAuthority.key);
  });

  it.each([0, -1, Number.NaN])("rejects a lifetime of %d hours", async (lifetimeHours) => {
    const { failures } = await handler.check(undefined, { ...inputs(), lifetimeHours });
    expect(failures.map(({ property }) => property)).toEqual(["lifetimeHours"]);
  });

  it.each([0, -1, 1, 2, Number.NaN])("rejects a renewal %d hours before the end", async (hours) => {
    const { failures } = await handler.check(undefined, { ...inputs(), renewalWindowHours: hours });
    expect(failures.map(({ property }) => property)).toEqual(["renewalWindowHours"]);
    expect(failures[0]?.reason).toContain(`renewed ${hours} hours before its end`);
  });

  it("rejects an empty list of roles, and accepts valid and unknown values", async () => {
    expect((await handler.check(undefined, inputs([]))).failures).toHaveLength(1);
    expect((await handler.check(undefined, inputs())).failures).toEqual([]);
    const unknown = {
      ...inputs(),
      endpoints: unknownValue,
      roles: unknownValue,
      lifetimeHours: unknownValue,
      renewalWindowHours: 5,
    };
    expect((await handler.check(undefined, unknown)).failures).toEqual([]);
  });
});

describe("the certificate of ClientConfiguration", () => {
  it("names its roles, and is in the talosconfig", async () => {
    const { id, state } = await handler.create(inputs(["os:reader"]), silent);
    expect(id).toBe("demo");
    expect(subjectOf(state.credentials)).toBe("O=os:reader");
    expect(parse(state.talosconfig)).toMatchObject({
      context: "demo",
      contexts: {
        demo: { endpoints: ["10.0.0.1"], nodes: ["10.0.0.2"], crt: state.credentials.crt },
      },
    });
    const lifetimeMs = Date.parse(state.notAfter) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(3_500_000);
    expect(lifetimeMs).toBeLessThanOrEqual(3_600_000);
  });

  it("is kept when only endpoints, nodes or the name change", async () => {
    const { id, state } = await handler.create(inputs(), silent);
    for (const change of [{ endpoints: ["10.0.0.9"] }, { nodes: [] }, { clusterName: "other" }]) {
      const news = { ...inputs(), ...change };
      expect(handler.diff(id, state, news)).toEqual({ changes: true });
      const updated = await handler.update(id, state, news, silent);
      expect(updated.credentials).toEqual(state.credentials);
      expect(updated.talosconfig).not.toBe(state.talosconfig);
      expect(handler.diff(id, updated, news)).toEqual({ changes: false });
    }
  });

  it("is issued again when roles, lifetime or the CA change", async () => {
    const { id, state } = await handler.create(inputs(), silent);
    const changes = [
      { roles: ["os:operator"] as const },
      { lifetimeHours: 2 },
      { certificateAuthority: await createOsCa() },
    ];
    for (const change of changes) {
      const news = { ...inputs(), ...change };
      expect(handler.diff(id, state, news)).toEqual({ changes: true });
      const updated = await handler.update(id, state, news, silent);
      expect(updated.credentials.crt).not.toBe(state.credentials.crt);
      expect(updated.credentials.ca).toBe(news.certificateAuthority.crt);
      expect(handler.diff(id, updated, news)).toEqual({ changes: false });
    }
  });

  it.each([
    [0.5, false],
    [0.6, false],
    [0.7, true],
    [2, true],
  ])("with a lifetime of an hour, after %d hours, is renewed: %s", async (agoHours, renewed) => {
    const { id, state } = await stateOfAge(agoHours);
    expect(handler.diff(id, state, inputs())).toEqual({ changes: renewed });
    const { credentials } = await handler.update(id, state, inputs(), silent);
    expect(credentials.crt !== state.credentials.crt).toBe(renewed);
  });

  it.each([
    [0.5, 0.4, false],
    [0.5, 0.6, true],
    [0.9, 0.05, false],
    [2, 0.05, true],
  ])("after %d hours, with a window of %d, is renewed: %s", async (agoHours, window, renewed) => {
    const { id, state } = await stateOfAge(agoHours);
    const news = { ...inputs(), renewalWindowHours: window };
    expect(handler.diff(id, state, news)).toEqual({ changes: renewed });
    const updated = await handler.update(id, state, news, silent);
    expect(updated.credentials.crt !== state.credentials.crt).toBe(renewed);
    expect(handler.diff(id, updated, news)).toEqual({ changes: false });
  });

  it.each(["clusterName", "certificateAuthority", "endpoints", "nodes", "roles", "lifetimeHours"])(
    "may change in a preview that doesn't know %s",
    async (property) => {
      const { id, state } = await handler.create(inputs(), silent);
      const news = { ...inputs(), [property]: unknownValue };
      expect(handler.diff(id, state, news)).toEqual({ changes: true });
    },
  );
});
