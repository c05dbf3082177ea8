import type { ConfigSchema } from "./config/configSchema";
import { decodeDocuments } from "./config/encode";
import { freeze } from "./config/immutable";
import type { ConfigDocument } from "./config/machineConfig";
import type { Patch } from "./config/patch";
import { Recent } from "./config/recent";
import { schemaOfDocuments } from "./config/schemaOfDocuments";
import { renderConfiguration, type RenderResult } from "./renderConfiguration";

/** How many renderings are kept: machines of a pool have the same patches, mostly none. */
const KEPT_RENDERINGS = 4;

/** The configuration of a role: read once, and rendered once for all its machines that have the same patches. */
export class RoleConfiguration {
  private readonly documents: readonly ConfigDocument[];
  private readonly schema: ConfigSchema;
  private readonly renderings = new Recent<RenderResult>(KEPT_RENDERINGS);

  /**
   * @param text YAML documents
   * @param longestText how many characters of a text the outline keeps
   * @throws ConfigError when the text can't be read
   */
  constructor(
    text: string,
    private readonly longestText: number,
  ) {
    this.documents = freeze(decodeDocuments(text));
    this.schema = schemaOfDocuments(this.documents);
  }

  /**
   * The configuration of a machine with these patches over its role's. What it returns is frozen.
   *
   * @param patches plain data, as the engine hands it over: two that are the same as JSON are the same
   */
  render(patches: readonly Patch[]): RenderResult {
    return this.renderings.get(JSON.stringify(patches), () =>
      freeze(
        renderConfiguration(this.documents, patches, {
          schema: this.schema,
          longestText: this.longestText,
        }),
      ),
    );
  }
}
