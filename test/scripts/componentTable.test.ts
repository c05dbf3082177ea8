import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  componentTable,
  type KubernetesComponent,
} from "../../provider/config/flags/componentTable";
import { etcdFlagTable } from "../../provider/config/flags/etcdFlags";
import { type ComponentRow, minorOf, rowOf, tableOf } from "../../scripts/componentTable";
import { etcdTableOf, readEtcdFlags } from "../../scripts/etcdFlags";
import { moduleVersion } from "../../scripts/kubernetesSource";
import { kubernetesSources, moduleCache } from "../provider/talosSources";

const releases = Object.values(componentTable.releases);
const rows = releases.map((release) => rowOf(componentTable, minorOf(release)));

test("the table is made of its rows", () => {
  expect(tableOf(rows)).toEqual(componentTable);
});

describe("a table", () => {
  const flags = { apiServer: {}, controllerManager: {}, scheduler: {}, kubelet: {}, proxy: {} };
  const row = (minor: number, change: Partial<ComponentRow>): ComponentRow => ({
    release: `v1.${minor}.0`,
    flags,
    featureGates: {},
    ...change,
  });
  const gate = (locked: boolean, value: boolean) => ({ A: { default: value, locked } });
  const kubelet = (names: Readonly<Record<string, string>>) => ({
    flags: { ...flags, kubelet: names },
  });

  test("has a flag once, with the minors that know it, and no type if that changes", () => {
    const table = tableOf([
      row(30, kubelet({ a: "bool", b: "int" })),
      row(31, kubelet({ a: "bool", b: "string", c: "ip" })),
      row(32, kubelet({ b: "string", c: "ip" })),
    ]);
    expect(table.flags.kubelet).toEqual({
      a: { type: "bool", until: 31 },
      b: { type: "string" },
      c: { type: "ip", since: 31 },
    });
  });

  test.each<readonly [string, readonly ComponentRow[]]>([
    [
      "goes and comes again",
      [row(30, kubelet({ a: "bool" })), row(31, {}), row(32, kubelet({ a: "bool" }))],
    ],
    [
      "is locked, and then no longer",
      [row(30, { featureGates: gate(true, true) }), row(31, { featureGates: gate(false, true) })],
    ],
    [
      "belongs to other components later",
      [
        row(30, { featureGates: gate(false, true) }),
        row(31, { featureGates: { A: { ...gate(false, true).A, without: ["proxy"] } } }),
      ],
    ],
  ])("has no place for a name that %s", (_, all) => {
    expect(() => tableOf(all)).toThrow();
  });
});

/** Gates that `recordKubernetesSource` doesn't find, as their code has another form. */
const OTHER_FORM = [
  "AllAlpha",
  "AllBeta",
  "StatefulSetSemanticRevisionComparison",
  "SystemdWatchdog",
  "ChangeContainerStatusOnKubeletRestart",
  "ReloadKubeletClientCAFile",
];

/** A constant of the code that no component registers. */
const NO_GATE = "LoggingStableOptions";

test.each(kubernetesSources)("has the gates of the code of $release", (source) => {
  const known = Object.keys(rowOf(componentTable, minorOf(source.release)).featureGates);
  const all = source.featureGates.filter((gate) => gate !== NO_GATE);
  expect(all.filter((gate) => !known.includes(gate))).toEqual([]);
  expect(known.filter((gate) => !all.includes(gate) && !OTHER_FORM.includes(gate))).toEqual([]);
});

/** Where the main module defines the flags of each component. */
const OPTIONS: Readonly<Record<KubernetesComponent, readonly string[]>> = {
  apiServer: ["cmd/kube-apiserver/app/options", "pkg/kubeapiserver/options"],
  controllerManager: ["cmd/kube-controller-manager/app/options"],
  scheduler: ["cmd/kube-scheduler/app/options"],
  kubelet: ["cmd/kubelet/app/options"],
  proxy: ["cmd/kube-proxy/app"],
};

/** Default values that stand where the names of flags do. */
const NO_FLAGS = ["sub", "RS256"];

describe.each(releases)("the flags of Kubernetes %s", (release) => {
  const main = join(moduleCache, "k8s.io", moduleVersion("kubernetes", release));

  // Skipped where Go hasn't downloaded the module: there is nothing to compare with.
  test.skipIf(!existsSync(main)).each(Object.entries(OPTIONS))(
    "of %s are those that its code defines",
    (component, folders) => {
      const known = rowOf(componentTable, minorOf(release)).flags[component as KubernetesComponent];
      const defined = folders.flatMap((folder) => flagsIn(join(main, folder)));
      expect(defined.length).toBeGreaterThan(3);
      expect(defined.filter((name) => !(name in known) && !NO_FLAGS.includes(name))).toEqual([]);
    },
  );
});

/** The names that calls like `fs.StringVar(&value, "name", …)` have. */
function flagsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".go") && !/_(?:test|windows)\.go$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(
        /^\s*\w+\.\w*Var(?:P|PF|F)?\([^"\n]*"([A-Za-z][\w-]*)"/gm,
      ),
    ])
    .map(([, name = ""]) => name.replaceAll("_", "-"));
}

describe("the flags of etcd", () => {
  const all = Object.values(etcdFlagTable.releases);
  const folderOf = (release: string) => join(moduleCache, `go.etcd.io/etcd/server/v3@${release}`);

  // Skipped where Go hasn't downloaded the modules.
  test.skipIf(!all.every((release) => existsSync(folderOf(release))))(
    "are recorded as the code of its releases is",
    () => {
      const read = all.map((release) => readEtcdFlags(folderOf(release), release));
      expect(etcdTableOf(read)).toEqual(etcdFlagTable);
    },
  );
});
