import { TalosClient } from "../api/talosClient";
import type { Machine } from "./machine";

/** Asks a machine over mutual TLS, and closes the client. */
export async function withMachine<Result>(
  machine: Machine,
  work: (client: TalosClient) => Promise<Result>,
): Promise<Result> {
  const client = TalosClient.connect(machine);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
