import { parseAccept } from "../../../../emulator/talos/kubernetes/apiRequest";

describe("an Accept header", () => {
  test.each([
    [undefined, { table: false, json: true, aggregatedDiscovery: undefined }],
    [
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
      { table: false, metadataOnly: true, json: true, aggregatedDiscovery: undefined },
    ],
    ["application/json", { table: false, json: true, aggregatedDiscovery: undefined }],
    [
      "application/vnd.kubernetes.protobuf",
      { table: false, json: false, aggregatedDiscovery: undefined },
    ],
    [
      "application/vnd.kubernetes.protobuf,application/json",
      { table: false, json: true, aggregatedDiscovery: undefined },
    ],
    [
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
      { table: true, json: true, aggregatedDiscovery: undefined },
    ],
    [
      "application/json,application/json;as=Table;v=v1;g=meta.k8s.io",
      { table: false, json: true, aggregatedDiscovery: undefined },
    ],
    [
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
      { table: false, json: true, aggregatedDiscovery: "v2" },
    ],
    [
      "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
      { table: false, json: true, aggregatedDiscovery: "v2beta1" },
    ],
  ])("%s", (header, expected) => {
    expect(parseAccept(header)).toEqual({ metadataOnly: false, ...expected });
  });
});
