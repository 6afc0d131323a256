export { generateCase } from './relational/generate-case.ts';
export {
  DEFAULT_OPTIONS,
  PLAIN_SHAPES,
  WIDE_SHAPES,
  optionsFor,
  resolveOptions,
  type GenerateOptions,
  type GivenOptions,
  type Range,
} from './relational/options.ts';
export { swarmOptions } from './relational/swarm.ts';
export { formOf, type Form } from './relational/forms.ts';
export { formPairs, readForms, seedTowards, towardsOf, towardsOptions, type FormPair } from './relational/towards.ts';
export { createRandom } from './prng.ts';
export { countSteps, generateSchedule } from './schedule.ts';
export {
  CANONICAL,
  PHENOMENA,
  type CanonicalSchedule,
  type Phenomenon,
  type PhenomenonRow,
  type PurestForm,
  type Variant,
} from './canonical/catalogue.ts';
export { parseParameter, resolveParameter, type Parameter } from './workload-file/parameter.ts';
export { parseWorkloadFile, type ParsedWorkload, type WorkloadFile } from './workload-file/parse.ts';
export { piecesOf } from './workload-file/text.ts';
export { textWithBindings } from './workload-file/text-with-bindings.ts';
export { workloadCase, type WorkloadCaseOptions } from './workload-file/instantiate.ts';
export { importWorkload, type Invariant, type WorkloadTemplates } from './workload-file/import.ts';
export { defaultObjects, generateKeyValue, type KeyValueKind, type KeyValueOptions } from './key-value/generate.ts';
export { objectOperation } from './key-value/operation.ts';
export { KEY_VALUE_TABLE } from './key-value/statements.ts';
export { FIRST_AIMED, FilePrograms, rowNamesOf, type Together } from './explore/file-programs.ts';
export type { AimedDraw, AimedPlan } from './explore/aims/plan.ts';
export { candidatesFor, type Values } from './explore/aims/candidates.ts';
export { madeFor, type Made, type MadeRows } from './explore/aims/made-rows.ts';
export type { RangeMeeting, Way } from './explore/aims/way.ts';
export { Reach } from './explore/aims/reach.ts';
export { jointReadsOf, type JointReads } from './explore/aims/joint-reads.ts';
export { CONTROL, waysOf } from './explore/aims/ways.ts';
export { casePrograms, caseFixture, programOf, type ProgramName } from './explore/case-programs.ts';
export { NumberUse } from './explore/number-use.ts';
export { Catalogue, lackingOn, type CatalogueOptions, type Coverage } from './explore/catalogue.ts';
export { PairMatrix, type PairPlace } from './explore/pair-matrix/pair-matrix.ts';
export { type PairSite } from './explore/pair-matrix/pair-site.ts';
export { PAIR_PHENOMENA, type PairPhenomenon } from './explore/pair-matrix/phenomena.ts';
export { looksIn, type FixtureLooks } from './explore/looks.ts';
export { CATALOGUE_SETS, type CatalogueName } from './explore/catalogue-sets.ts';
export { canonicalForm, derivedBeside, derivedSkeletons } from './explore/derived-skeletons.ts';
export { SKELETONS } from './explore/skeletons.ts';
export { mitigationsOf, type Mitigation } from './explore/mitigations.ts';
export { type ReadWorkload } from './explore/edited-file.ts';
