import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import type { Emulator } from "../../../emulator";

/** Makes a public hosted zone, as people have one for their domain. */
export async function makeHostedZone(emulator: Emulator, name: string): Promise<void> {
  const client = new Route53Client({
    region: emulator.region,
    endpoint: emulator.url,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await client.send(new CreateHostedZoneCommand({ Name: name, CallerReference: name }));
  client.destroy();
}
