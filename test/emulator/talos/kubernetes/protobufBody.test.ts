import { openApiV2 } from "../../../../emulator/talos/kubernetes/openApi";
import { jsonOfProtobuf } from "../../../../emulator/talos/kubernetes/protobufBody";

// Written by client-go v0.36.2: a Secret with the fields that Helm v3.20.2 sets, and a Pod.
const SECRET =
  "azhzAAoMCgJ2MRIGU2VjcmV0EnQKTAoZc2guaGVsbS5yZWxlYXNlLnYxLndlYi52MRIAGgAiACoAMgA4AEIAWg0KBW93bmVyEgRoZWxtWhIKBnN0YXR1cxIIZGVwbG95ZWQSEAoHcmVsZWFzZRIFSDRzAP8aEmhlbG0uc2gvcmVsZWFzZS52MRoAIgA=";
const POD =
  "azhzAAoJCgJ2MRIDUG9kEkYKEQoBcBIAGgAiACoAMgA4AEIAEhwaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAGhMKABoAIgAqADIASgBaAHIAiAEAGgAiAA==";

describe("a body in Protocol Buffers", () => {
  it("is read as the object in JSON", () => {
    expect(JSON.parse(jsonOfProtobuf(Buffer.from(SECRET, "base64")) ?? "")).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: "sh.helm.release.v1.web.v1",
        labels: { owner: "helm", status: "deployed" },
      },
      data: { release: Buffer.from("H4s\0\xff", "latin1").toString("base64") },
      type: "helm.sh/release.v1",
    });
  });

  it("is not read if it is of another kind, or something else", () => {
    expect(jsonOfProtobuf(Buffer.from(POD, "base64"))).toBeUndefined();
    expect(jsonOfProtobuf(Buffer.from('{"kind":"Secret"}'))).toBeUndefined();
  });
});

describe("the former OpenAPI document", () => {
  const asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  it("comes in the form that client-go asks for, with a content type that is one", () => {
    expect(openApiV2(asked)).toMatchObject({
      contentType: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
      // swagger, info with title and version, paths, definitions.
      body: "\n\u00032.0\u0012\u0019\n\nKubernetes\u0012\u000bunversionedB\0J\0",
    });
  });

  it("comes as JSON for everybody else", () => {
    for (const accept of [undefined, "*/*", "application/json"]) {
      expect(openApiV2(accept)).toMatchObject({ contentType: "application/json" });
    }
  });
});
