import { isDeepStrictEqual } from "node:util";
import {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_SERVICE_CIDRS,
} from "../../provider/config/birth/clusterDefaults";
import { textAt } from "../../provider/config/machineConfig";
import { formsOfKinds } from "../../provider/config/settings/formsOfKinds";
import { namedKinds } from "../../provider/config/settings/namedKinds";
import { settingPlaces } from "../../provider/config/settings/settingPlaces";
import { settingsOracleFingerprint } from "../../scripts/ensureSettingsOracle";
import { triedKinds } from "./arbitraries/settings";
import { readSettings, saying, type Settings } from "./support/readSettings";
import { type ReadConfiguration, readByTalos, recordedOracle } from "./support/settingsCode";

/** A configuration that says nothing. */
const empty = [{ version: "v1alpha1", machine: { type: "controlplane" }, cluster: {} }];

/** What Talos takes where a section leaves it out. */
const DEFAULTS: Settings = {
  "machine.features.kubePrism.port": 7445,
  "cluster.network.dnsDomain": DEFAULT_DNS_DOMAIN,
  "cluster.network.podSubnets": DEFAULT_POD_CIDRS,
  "cluster.network.serviceSubnets": DEFAULT_SERVICE_CIDRS,
};

/** A worker's configuration need not name the pod network, which only control planes install. */
const NOT_OF_WORKERS = "cluster.network.cni.";

/**
 * What the package finds in a configuration, in whichever form it is written, is what the controllers of
 * Talos find. Each setting is compared.
 */
describe("settings, as Talos' own code reads them", () => {
  let read: readonly ReadConfiguration[];
  beforeAll(async () => {
    read = await readByTalos([empty]);
  });

  it("are the same in random configurations of fields and documents", () => {
    const usual = { ...saying(read[0]?.answer.result ?? {}), ...DEFAULTS };
    const told = new Set<string>();
    for (const { documents, answer } of read) {
      expect(answer.refused).toBeUndefined();
      const isWorker = textAt(documents[0]?.machine, "type") === "worker";
      const [ours, theirs] = [readSettings(documents), saying(answer.result ?? {})];
      const fields = [...new Set([ours, theirs].flatMap((settings) => Object.keys(settings)))];
      const otherwise = fields
        .filter((field) => !(isWorker && field.startsWith(NOT_OF_WORKERS)))
        .filter((field) => !isDeepStrictEqual(ours[field] ?? usual[field], theirs[field]))
        .map((field) => ({ field, ours: ours[field], theirs: theirs[field] }));
      expect(otherwise, JSON.stringify(documents)).toEqual([]);
      fields.forEach((field) => told.add(field));
    }
    expect(told.size).toBeGreaterThan(60);
  });

  it("are tried in every kind that has a place", () => {
    const tables = [settingPlaces, formsOfKinds, namedKinds];
    const kinds = tables.flatMap((table) => table.map(({ kind }) => kind));
    expect(kinds.filter((kind) => !triedKinds.includes(kind))).toEqual(NOT_ASKED);
  });

  it("were recorded with the current code", () => {
    expect(recordedOracle(), "record anew: npm run conformance -- --record").toBe(
      settingsOracleFingerprint(),
    );
  });
});

/** Talos only writes it into a file. `keyPath.test.ts` has its keys. */
const NOT_ASKED: readonly string[] = ["KubeEtcdEncryptionConfig"];
