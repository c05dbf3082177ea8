import { schemaOfDocuments } from "../../../provider/config/schemaOfDocuments";

test.each([
  ["factory.talos.dev/aws-installer/0123abcd:v1.12.1", 12],
  ["ghcr.io/siderolabs/installer:v1.10.0-beta.1", 10],
  ["registry.example.com:5000/installer:v1.11.6@sha256:0123abcd", 11],
  // newer than what is known, or of no release at all
  ["ghcr.io/siderolabs/installer:v1.99.0", 13],
  ["ghcr.io/siderolabs/installer:v1.2.0", 13],
  ["ghcr.io/siderolabs/installer:latest", 13],
  ["registry.example.com:5000/installer", 13],
])("a configuration that installs %s is read by Talos v1.%d", (image, minor) => {
  const config = { machine: { install: { image } } };
  const other = { apiVersion: "v1alpha1", kind: "HostnameConfig" };
  expect(schemaOfDocuments([other, config]).talosMinor).toBe(minor);
});

test("one that installs nothing is read by the newest", () => {
  expect(schemaOfDocuments([]).talosMinor).toBe(13);
  expect(schemaOfDocuments([{ machine: {} }]).talosMinor).toBe(13);
});
