import path from "node:path";
import { loadPackageDefinition, type GrpcObject } from "@grpc/grpc-js";
import { loadSync, type Options } from "@grpc/proto-loader";
import type { ProtoGrpcType as ClusterTypes } from "./gen/cluster";
import type { ProtoGrpcType as ImageTypes } from "./gen/image";
import type { ProtoGrpcType as InspectTypes } from "./gen/inspect";
import type { ProtoGrpcType as LifecycleTypes } from "./gen/lifecycle";
import type { ProtoGrpcType as MachineTypes } from "./gen/machine";
import type { ProtoGrpcType as SecurityTypes } from "./gen/security";
import type { ProtoGrpcType as StateTypes } from "./gen/state";
import type { ProtoGrpcType as StorageTypes } from "./gen/storage";
import type { ProtoGrpcType as TimeTypes } from "./gen/time";

/**
 * The services of a Talos node and their messages, by package. Each service has a client
 * constructor and, as `service`, the definition that a server registers.
 */
export type Protocol = Pick<MachineTypes, "machine" | "common"> &
  Pick<ImageTypes, "machine"> &
  Pick<LifecycleTypes, "machine"> &
  Pick<StateTypes, "cosi"> &
  Pick<StorageTypes, "storage"> &
  Pick<ClusterTypes, "cluster"> &
  Pick<InspectTypes, "inspect"> &
  Pick<TimeTypes, "time"> &
  Pick<SecurityTypes, "securityapi">;

const serviceFiles = [
  "machine/machine.proto",
  "machine/image.proto",
  "machine/lifecycle.proto",
  "v1alpha1/state.proto",
  "storage/storage.proto",
  "cluster/cluster.proto",
  "inspect/inspect.proto",
  "time/time.proto",
  "security/security.proto",
];

const packages = [
  "machine",
  "common",
  "cosi",
  "storage",
  "cluster",
  "inspect",
  "time",
  "securityapi",
];

/**
 * The form of messages in this program: camelCase fields, 64-bit numbers and enums as strings,
 * every field present. The types in `gen/` are generated with the same options.
 */
const loaderOptions: Options = {
  keepCase: false,
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [path.join(__dirname, "proto")],
};

function isProtocol(loaded: GrpcObject): loaded is GrpcObject & Protocol {
  return packages.every((name) => name in loaded);
}

function loadProtocol(): Protocol {
  const loaded = loadPackageDefinition(loadSync(serviceFiles, loaderOptions));
  if (!isProtocol(loaded)) {
    throw new Error(
      `the Talos API description in "${path.join(__dirname, "proto")}" is incomplete: it must define the packages ${packages.join(", ")}`,
    );
  }
  return loaded;
}

let loaded: Protocol | undefined;
const load = (): Protocol => (loaded ??= loadProtocol());

/**
 * The API of Talos v1.14, read from the folder `proto` at the first use. That takes a tenth of a
 * second, and a run without changes calls no machine. Clients and servers use the same definitions:
 * `server.addService(protocol.machine.MachineService.service, { version: … })`.
 */
export const protocol: Protocol = {
  get machine() {
    return load().machine;
  },
  get common() {
    return load().common;
  },
  get cosi() {
    return load().cosi;
  },
  get storage() {
    return load().storage;
  },
  get cluster() {
    return load().cluster;
  },
  get inspect() {
    return load().inspect;
  },
  get time() {
    return load().time;
  },
  get securityapi() {
    return load().securityapi;
  },
};
