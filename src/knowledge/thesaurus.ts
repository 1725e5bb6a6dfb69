/**
 * Synonyms in software documentation, which a small corpus cannot teach. Each line is one meaning; a word may be in several lines.
 * Synonyms only widen a search: a text with the word itself ranks before one with a synonym.
 */
import { termsOf } from "./words.ts";

/** The synonyms of a term, without the term itself. */
export function neighboursOf(term: string): ReadonlySet<string> {
  table ??= tableOf(meanings);
  return table.get(term) ?? none;
}

const none: ReadonlySet<string> = new Set();
let table: ReadonlyMap<string, ReadonlySet<string>> | null = null;

function tableOf(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.trim().split("\n")) {
    const terms = line.trim().split(" ").flatMap(termsOf);
    for (const term of terms) {
      const others = found.get(term) ?? new Set<string>();
      for (const other of terms) if (other !== term) others.add(other);
      found.set(term, others);
    }
  }
  return found;
}

const meanings = `
  abort cancel stop interrupt terminate kill
  allow permit permission authorize grant access
  answer reply response respond
  api interface endpoint
  argument parameter param option
  array list
  asynchronous async concurrent promise await
  attack vulnerability exploit security threat
  audio speech voice spoken sound
  authenticate authentication auth login signin credential
  automatic auto automatically
  backend server
  begin start launch boot startup initialize init
  block prevent deny forbid refuse reject restrict
  branch fork
  browser client
  bug defect fault error failure issue problem
  build compile bundle
  cache memoize store reuse remember
  change modify update edit alter mutate
  check verify validate validation ensure assert
  choose select pick
  class type
  clean cleanup clear purge
  color colour colored coloured
  combine merge join concatenate
  command cli terminal shell console
  compare equal equality diff difference
  component widget element
  compress gzip minify shrink
  config configuration configure setting settings preference option
  connect connection socket
  container docker
  convert transform translate parse cast
  copy clone duplicate
  crash panic exception throw
  create make generate add new build
  database db sql storage
  date time timestamp
  debug inspect diagnose trace troubleshoot
  default fallback
  delay wait sleep pause backoff timeout postpone
  delete remove erase drop destroy unpublish uninstall
  dependency package library module
  deploy deployment release publish ship hosting production
  deprecate obsolete legacy outdated
  develop development dev local
  directory folder path
  disable off ignore skip suppress
  document documentation docs guide manual
  download fetch retrieve get load request
  email mail message
  encrypt encryption tls ssl https certificate
  enable activate
  environment env variable
  error exception failure fail crash
  event listener callback handler hook
  example sample demo
  execute run invoke call
  expire expiration ttl lifetime stale
  export output emit
  extend plugin extension addon augment decorate
  fake mock stub simulate dummy
  fast performance speed quick slow optimize latency
  filter search find query lookup
  fix repair solve resolve patch
  format style lint prettier pretty
  form input field submit
  function method procedure
  graceful shutdown close exit
  hide mask redact conceal censor
  http request web
  human person user people
  id identifier key
  image picture photo
  import require include load
  install setup installation
  json serialization serialize stringify
  key secret token password credential sensitive
  language locale i18n internationalization translation localization multilingual
  large big huge
  limit throttle quota maximum restrict rate
  link url href address uri
  balance balancer distribute spread
  lock pin freeze exact
  log logging logger print trace
  loop iterate cycle repeat
  measure metric benchmark monitor analytics telemetry
  memory heap ram
  migrate upgrade migration
  missing absent nonexistent undefined null
  monorepo workspace workspaces
  move rename
  navigate route routing router
  network internet connection
  nothing empty none blank
  optional nullable
  order sort sequence
  page view screen
  parallel concurrent simultaneous thread worker
  parse read decode
  placeholder skeleton loading spinner
  proxy gateway
  queue buffer
  read load open
  redirect forward
  refactor rewrite restructure
  repository repo git
  reproducible deterministic
  retry again repeat reattempt
  rollback revert undo
  rule policy constraint
  save persist store write
  schedule cron timer
  schema shape structure model
  scope encapsulation isolation isolate visibility
  script program
  send post submit transmit emit
  serverless lambda
  session cookie
  share common
  show display render view
  similar similarity semantic embedding
  size width height
  stable lts
  state status
  stream streaming chunk
  string text
  style css theme
  tarball archive pack
  team organization org company
  template layout
  test testing spec unit
  double dual
  unique distinct duplicate identical
  user visitor customer account
  version release tag
  watch observe monitor
  warn warning alert
`;
