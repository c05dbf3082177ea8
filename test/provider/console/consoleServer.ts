import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What EC2 answers to a question for a console. */
export type ConsoleAnswer =
  Buffer | { readonly code: string; readonly message: string; readonly status?: number };

/** A server that answers as EC2 and STS do, to callers with the variables in `environment`. */
export interface ConsoleServer {
  readonly environment: Readonly<Record<string, string>>;
  /** The calls so far, by their parameters. */
  readonly calls: URLSearchParams[];
  /** The ids of the keys that signed them. */
  readonly signers: string[];
  close(): Promise<void>;
}

/** The names of the keys of a role in `assumeRoles`. */
export function roleKeys(roleArn: string) {
  const name = roleArn.split("/").at(-1) ?? "";
  return {
    accessKeyId: `KEY${name}`,
    secretAccessKey: `SECRET${name}`,
    sessionToken: `TOKEN${name}`,
  };
}

/** @param answer what EC2 answers for an instance, live or not */
export async function startConsoleServer(
  answer: (instanceId: string, isLive: boolean) => ConsoleAnswer,
): Promise<ConsoleServer> {
  const calls: URLSearchParams[] = [];
  const signers: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = new URLSearchParams(Buffer.concat(chunks).toString());
      calls.push(call);
      signers.push(/Credential=([^/]*)/.exec(request.headers.authorization ?? "")?.[1] ?? "");
      const role = call.get("RoleArn");
      if (role !== null) {
        const { accessKeyId, secretAccessKey, sessionToken } = roleKeys(role);
        response.end(
          `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>${sessionToken}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
        );
        return;
      }
      const given = answer(call.get("InstanceId") ?? "", call.get("Latest") === "true");
      if (Buffer.isBuffer(given)) {
        const encoded = given.toString("base64").replaceAll(/.{76}/g, "$&\r\n");
        const output = given.length === 0 ? "<output/>" : `<output>${encoded}</output>`;
        response.end(`<GetConsoleOutputResponse>${output}</GetConsoleOutputResponse>`);
        return;
      }
      response.statusCode = given.status ?? 400;
      response.end(
        `<Response><Errors><Error><Code>${given.code}</Code><Message>${given.message}</Message></Error></Errors></Response>`,
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_ACCESS_KEY_ID: "KEYOFENVIRONMENT",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_EC2_METADATA_DISABLED: "true",
    },
    calls,
    signers,
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}
