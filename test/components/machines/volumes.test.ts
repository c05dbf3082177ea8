import { checkEtcdVolume } from "../../../components/machines/etcdVolume";
import {
  checkDataVolumes,
  checkRootSpeed,
  type DataVolumeArgs,
  dataUserVolumes,
  planDataVolumes,
  type VolumeSpeedArgs,
  type VolumeType,
} from "../../../components/machines/volumes";

const said = (problems: readonly { readonly property: string; readonly reason: string }[]) =>
  problems.map(({ property, reason }) => `${property}: ${reason}`);

describe("volumes of machines", () => {
  it.each<[string, Readonly<Record<string, DataVolumeArgs>>]>([
    ["gp3 with its own speed", { data: { sizeGib: 1 } }],
    ["gp3 at its limits", { data: { sizeGib: 65_536, iops: 80_000, throughputMib: 2_000 } }],
    ["gp3 at its ratios", { data: { sizeGib: 16, iops: 8_000, throughputMib: 2_000 } }],
    ["io2 at its limits", { data: { sizeGib: 256, type: "io2", iops: 256_000 } }],
    ["io1 at its ratio", { data: { sizeGib: 4, type: "io1", iops: 200 } }],
    ["hard disks", { logs: { sizeGib: 125, type: "st1" }, old: { sizeGib: 126, type: "sc1" } }],
    ["ext4", { data: { sizeGib: 8, filesystem: "ext4" } }],
  ])("can be %s", (_which, volumes) => {
    expect(said(checkDataVolumes(volumes))).toEqual([]);
  });

  it.each<[DataVolumeArgs, RegExp[]]>([
    [{ sizeGib: 0 }, [/sizeGib: it can't be 0: give a whole number from 1 to 65536$/]],
    [{ sizeGib: 1.5 }, [/sizeGib: it can't be 1.5/]],
    [{ sizeGib: 8, iops: 4_001 }, [/iops: it can't be 4001: .* from 3000 to 4000, at most 500/]],
    [{ sizeGib: 8, iops: 100 }, [/iops: it can't be 100/]],
    [{ sizeGib: 200, iops: 80_001 }, [/iops: it can't be 80001: .* from 3000 to 80000/]],
    [{ sizeGib: 200, iops: 9_000, throughputMib: 2_001 }, [/throughputMib: it can't be 2001/]],
    [{ sizeGib: 8, throughputMib: 751 }, [/throughputMib: it can't be 751: .* from 125 to 750/]],
    [{ sizeGib: 8, type: "io2" }, [/iops: it is missing/]],
    [
      { sizeGib: 3, type: "io2", iops: 5_000, throughputMib: 200 },
      [/sizeGib: it can't be 3/, /iops: it can't be 5000: .* from 100 to 3000/, /throughputMib: /],
    ],
    [
      { sizeGib: 124, type: "st1", iops: 500 },
      [/sizeGib: it can't be 124/, /iops: it can't be 500: /],
    ],
    [
      { sizeGib: 8, type: "fast" as VolumeType },
      [/type: it can't be "fast": write one of "gp3", .*"sc1"$/],
    ],
    [{ sizeGib: 8, filesystem: "btrfs" as "xfs" }, [/filesystem: it can't be "btrfs"/]],
  ])("are rejected as %j, with every problem", (volume, expected) => {
    const problems = said(checkDataVolumes({ data: volume }));
    expect(problems).toEqual(expected.map((text) => expect.stringMatching(text) as string));
    expect(problems.every((text) => text.startsWith('dataVolumes["data"].'))).toBe(true);
  });

  it("need names that Talos accepts and different sizes, and are limited in number", () => {
    expect(said(checkDataVolumes({ a: { sizeGib: 8 }, b: { sizeGib: 8 } }))).toEqual([
      expect.stringMatching(
        /^dataVolumes\["b"\].sizeGib: it can't be 8, because "a" has that size/,
      ),
    ]);
    expect(said(checkDataVolumes({ "a/b": { sizeGib: 8 } }))).toEqual([
      expect.stringMatching(/"a\/b" is no name/),
    ]);
    const eleven = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`v${index}`, { sizeGib: index + 1 }]),
    );
    expect(said(checkDataVolumes(eleven))).toEqual([expect.stringMatching(/^dataVolumes: 11 /)]);
  });

  it.each<[VolumeSpeedArgs, RegExp | undefined]>([
    [{ iops: 4_000, throughputMib: 1_000 }, undefined],
    [{ type: "io2", iops: 1_000 }, undefined],
    [
      { type: "st1" },
      /^rootVolume.type: it can't be "st1": write one of "gp3", "gp2", "io2", "io1"$/,
    ],
    [{ iops: 30_000 }, /^rootVolume.iops: it can't be 30000: .* from 3000 to 25000/],
  ])("accept a root volume of %j", (speed, problem) => {
    expect(said(checkRootSpeed(speed, 50))).toEqual(
      problem === undefined ? [] : [expect.stringMatching(problem)],
    );
  });

  it("need 10 GiB and fast disks for etcd", () => {
    expect(checkEtcdVolume({ sizeGib: 10, type: "io2", iops: 5_000 })).toEqual([]);
    expect(said(checkEtcdVolume({ sizeGib: 9, type: "gp2" }))).toEqual([
      expect.stringMatching(/^etcdVolume.sizeGib: it can't be 9: .* from 10 to 16384$/),
    ]);
  });

  it("hold etcd's data alone only with a Talos that can place it", () => {
    const volume = { sizeGib: 10, holds: "etcd" } as const;
    expect(checkEtcdVolume(volume, "v1.14.1")).toEqual([]);
    expect(checkEtcdVolume(volume)).toEqual([]);
    expect(checkEtcdVolume({ sizeGib: 10, holds: "everything" }, "v1.12.1")).toEqual([]);
    expect(said(checkEtcdVolume(volume, "v1.13.9"))).toEqual([
      "etcdVolume.holds: Talos v1.13.9 can't place etcd's data alone: that needs v1.14 or newer. Take \"everything\", or a newer Talos",
    ]);
    expect(said(checkEtcdVolume({ ...volume, holds: "logs" as "etcd" }, "v1.14.1"))).toEqual([
      `etcdVolume.holds: it can't be "logs": write one of "everything", "etcd"`,
    ]);
  });

  it("become devices in the order of names, and Talos finds them by model and size", () => {
    const volumes = { logs: { sizeGib: 2 }, data: { sizeGib: 1, filesystem: "ext4" } } as const;
    expect(planDataVolumes(volumes).map(({ name, deviceName }) => [name, deviceName])).toEqual([
      ["data", "/dev/sdg"],
      ["logs", "/dev/sdh"],
    ]);
    expect(dataUserVolumes(volumes)).toEqual([
      {
        name: "data",
        diskSelector: `!system_disk && disk.model == "Amazon Elastic Block Store" && disk.size == 1073741824u`,
        minSize: "1GiB",
        grow: true,
        filesystem: "ext4",
      },
      expect.objectContaining({ name: "logs", grow: true }),
    ]);
  });
});
