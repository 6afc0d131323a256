/**
 * Styles the page. Colours are variables with a light and a dark value. Transactions have six colours of their own in
 * the timeline and the graph. A statement that waited is hatched, and a failed one has a red edge.
 */

/**
 * Shows the table of levels with a line for each number. A narrow screen needs this, and so does a table with too many
 * names to fit beside each other.
 */
const STACKED = (table: string): string =>
  `${table} :is(thead,td.zero){display:none}${table} :is(table,tbody,tr){display:block}${table} tr{padding:5px 0;border-bottom:1px solid var(--line)}${table} tr:last-child{border-bottom:0}${table} tbody :is(th,td){display:inline-block;border-bottom:0;padding:1px 14px 1px 0;text-align:left;white-space:normal}${table} tbody th{display:block}${table} td[data-name]::before{content:attr(data-name) " ";color:var(--soft);font-size:.85rem}`;

export const STYLE: string = `
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b2230;--soft:#5c667a;--line:#dde1e9;--sunk:#f0f2f6;--focus:#2b6de9;
--bug:#b3261e;--bug-bg:#fbe4e2;--undocumented:#8a5a00;--undocumented-bg:#fdf0d5;--documented:#1f5f99;--documented-bg:#e0eefa;--inconclusive:#5d5470;--inconclusive-bg:#ebe7f2;--clean:#1d6b3e;--clean-bg:#def3e6;
--t0:#2563c9;--t1:#b4530a;--t2:#0f7a63;--t3:#8a3fb5;--t4:#a3315f;--t5:#5c6b12;--glow:#ffd75e;--axis:4.6rem;--lane:13rem}
@media (prefers-color-scheme:dark){:root{--page:#11151c;--card:#191f29;--ink:#e4e8f0;--soft:#98a3b7;--line:#2d3645;--sunk:#131923;--focus:#7fb0ff;
--bug:#ff9b92;--bug-bg:#4a1e1b;--undocumented:#f3c266;--undocumented-bg:#43320f;--documented:#8ec5f7;--documented-bg:#16344f;--inconclusive:#c6bbdf;--inconclusive-bg:#342d45;--clean:#7fd8a2;--clean-bg:#15402a;
--t0:#7aa8ff;--t1:#f0a264;--t2:#5fcfb4;--t3:#cf9af0;--t4:#f28db4;--t5:#bccc63;--glow:#b8912a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.top,main{max-width:1760px;margin:0 auto;padding:0 24px}
.top{padding-top:28px}main{padding-bottom:64px}main>*{min-width:0}
.top.line{padding-top:14px;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 20px}.line h1{font-size:1.15rem;margin-bottom:8px}.line .run{font-size:.82rem;gap:2px 18px;margin-bottom:10px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 12px;letter-spacing:-.01em}h2{font-size:1.2rem;margin:36px 0 12px}h3{font-size:1rem;margin:0}h4{margin:0;font-size:.85rem}
p{margin:0 0 8px}.quiet{color:var(--soft);font-size:.9rem}
code,pre{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
a{color:var(--documented);overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.badge{display:inline-block;border-radius:4px;padding:1px 8px;font-size:.8rem;font-weight:600;line-height:1.6;overflow-wrap:anywhere}
.badge.bug{background:var(--bug-bg);color:var(--bug)}.badge.undocumented{background:var(--undocumented-bg);color:var(--undocumented)}.badge.documented{background:var(--documented-bg);color:var(--documented)}.badge.inconclusive,.badge.known{background:var(--inconclusive-bg);color:var(--inconclusive)}.badge.yours{background:var(--inconclusive-bg);color:var(--inconclusive)}.badge.clean{background:var(--clean-bg);color:var(--clean)}
.verdicts{display:flex;flex-wrap:wrap;gap:6px;margin-bottom:14px}
.run{display:flex;flex-wrap:wrap;gap:2px 22px;margin:0 0 12px;font-size:.9rem}.run div{display:flex;gap:6px;min-width:0}.run dt{color:var(--soft)}.run dd{margin:0;overflow-wrap:anywhere;min-width:0}
.replay{background:var(--sunk);border:1px solid var(--line);border-radius:6px;padding:9px 12px}
.replay code::before{content:"$ ";color:var(--soft)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,360px),1fr));gap:16px;align-items:start}
.card{background:var(--card);border:1px solid var(--line);border-top:3px solid var(--line);border-radius:8px;padding:14px 16px;min-width:0}
.card.bug{border-top-color:var(--bug)}.card.undocumented{border-top-color:var(--undocumented)}.card.documented{border-top-color:var(--documented)}.card.inconclusive,.card.known{border-top-color:var(--inconclusive)}.card.yours{border-top-color:var(--inconclusive)}.card.clean{border-top-color:var(--clean)}
.card header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:8px;align-items:baseline}
.card .target{color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}.card .words{overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(3,1fr);gap:8px 12px;margin:10px 0 12px}.figures div{min-width:0}.figures dt{font-size:.75rem;color:var(--soft)}.figures dd{margin:0;font-size:1.1rem;font-weight:600;font-variant-numeric:tabular-nums}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:3px 12px;margin:10px 0 0;font-size:.85rem}.facts dt{color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px;margin-top:12px}.chart{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px;width:100%;height:auto;font:12px system-ui,sans-serif}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.88rem;width:100%}th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:top}th{color:var(--soft);font-weight:500}.num{text-align:right;font-variant-numeric:tabular-nums}.zero{color:var(--soft)}td:last-child,th:last-child{padding-right:0}.card table{font-size:.82rem}.card th,.card td{padding-right:9px}.card td:last-child,.card th:last-child{padding-right:0}.card td:first-child{white-space:normal;overflow-wrap:anywhere}
main>.scroll{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px 16px}main>.scroll tr:last-child td{border-bottom:0}
.findings-head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:end;gap:0 16px}.count{color:var(--soft);font-weight:400}
.tools{margin:0 0 12px}button{font:inherit;font-size:.85rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:3px 10px;cursor:pointer}button:hover{border-color:var(--soft)}
.family{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px;margin-bottom:8px}.family.bug{border-left-color:var(--bug)}.family.undocumented{border-left-color:var(--undocumented)}.family.documented{border-left-color:var(--documented)}
.family>summary,.finding>details>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;cursor:pointer;list-style:none}.family>summary{padding:9px 14px}.finding>details>summary{padding:7px 96px 7px 14px}
.family>summary::-webkit-details-marker,.finding>details>summary::-webkit-details-marker{display:none}
.family>summary::before,.finding>details>summary::before{content:"";flex:none;width:0;height:0;border:5px solid transparent;border-left:7px solid var(--soft);border-right:0}.family[open]>summary::before,.finding>details[open]>summary::before{transform:rotate(90deg)}
.family>summary:hover,.finding>details>summary:hover{background:var(--sunk);border-radius:6px}
.finding.outcome{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:0 0 10px}main>pre,.outcome .script,.outcome .file{margin-bottom:10px}
.members{padding:0 0 4px;border-top:1px solid var(--line)}
.finding{position:relative;border-top:1px solid var(--line);margin-left:14px}.finding:first-child{border-top:0}.members>.finding:not(.drawn){content-visibility:auto;contain-intrinsic-size:auto 38px}.finding .name{font-weight:500}
.acts{position:absolute;top:5px;right:10px;display:flex;gap:6px;align-items:center}.acts a{padding:1px 8px;text-decoration:none;border-radius:5px}.acts a:hover{background:var(--sunk)}.acts button{padding:1px 8px;font-size:.78rem}
.what{color:var(--soft);font-size:.85rem;overflow-wrap:anywhere;min-width:0}.ring i,.pair i{font-style:normal;border:1px solid var(--soft);border-radius:3px;padding:0 5px;font-size:.75rem;margin:0 2px}
.n{color:var(--soft);font-variant-numeric:tabular-nums}.name{font-weight:600;overflow-wrap:anywhere;min-width:0}.where{color:var(--soft);font-size:.85rem;margin-left:auto;overflow-wrap:anywhere;min-width:0}
.body{padding:6px 14px 18px}.body:empty::after{content:"…";color:var(--soft)}
.explanation{margin:12px 0;max-width:90ch;overflow-wrap:anywhere;white-space:pre-line}
.promise{margin:0 0 8px;padding:8px 14px;border-left:4px solid var(--line);background:var(--sunk);border-radius:0 6px 6px 0}.promise p{margin:0;overflow-wrap:anywhere}.promise cite{display:block;font-style:normal;font-size:.85rem;color:var(--soft);margin-top:4px;overflow-wrap:anywhere}
.promise.bug{border-left-color:var(--bug)}.promise.undocumented{border-left-color:var(--undocumented)}.promise.documented{border-left-color:var(--documented)}
.bare{font-size:.9rem;color:var(--soft)}.bare.none{color:var(--undocumented)}
.picture{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,400px);gap:28px;margin:18px 0 14px}.picture h3{margin-bottom:10px}.picture header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 12px;align-items:baseline}.picture.wide{grid-template-columns:minmax(0,1fr)}.picture.wide .graph{order:-1;display:grid;grid-template-columns:minmax(0,400px) minmax(0,1fr);gap:0 28px;align-items:start}.picture.wide .graph>*{grid-column:2}.picture.wide .graph>h3{grid-column:1/3}.picture.wide .graph>.cycle,.picture.wide .graph>.quiet{grid-column:1;grid-row:2/4}
.strip{display:grid;grid-template-columns:var(--axis) minmax(0,1fr);gap:3px 8px;align-items:center;margin:0 0 14px;font-size:.75rem;color:var(--soft)}
.track{position:relative;height:12px;background:var(--sunk);border-radius:3px;overflow:hidden}.bar{position:absolute;top:0;bottom:0;min-width:3px;background:var(--c);border-radius:2px}
.strip figcaption{display:flex;justify-content:space-between}
.t0{--c:var(--t0)}.t1{--c:var(--t1)}.t2{--c:var(--t2)}.t3{--c:var(--t3)}.t4{--c:var(--t4)}.t5{--c:var(--t5)}
.lanes{overflow-x:auto;border-radius:6px}
.grid{display:grid;grid-auto-rows:minmax(5px,auto);column-gap:8px;position:relative}
.corner{grid-column:1;grid-row:1;align-self:end;font-size:.72rem;color:var(--soft);padding-bottom:6px}
.lane-name{grid-row:1;padding:0 0 6px 10px;min-width:0}.lane-name small{display:block;font-weight:500;font-size:.75rem}.lane-name small span{display:block;color:var(--c)}
.lane{background:var(--sunk);border-radius:6px}
.at{grid-column:1;font-size:.72rem;color:var(--soft);font-variant-numeric:tabular-nums;padding-top:5px;white-space:nowrap}
.box{position:relative;z-index:1;margin:0 6px;min-width:0;border:1px solid var(--line);border-left:4px solid var(--c);border-radius:5px;background:var(--card);padding:4px 8px;font-size:.8rem;overflow-wrap:anywhere}
.box code{display:block;white-space:pre-wrap;font-size:12px;line-height:1.4}.box:not(.on) code{color:var(--soft)}.box.on{border-color:var(--c);box-shadow:0 0 0 1px var(--c)}
.box .meta{margin:0;font-size:.72rem;color:var(--soft)}.box .meta b{color:var(--c)}
.control{padding:1px 8px;display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline}.control .meta{order:2;margin-left:auto}.control .meta span:not(.tag){display:none}.control.failed .meta span,.control.lost .meta span{display:inline}
.blocked{background-image:repeating-linear-gradient(135deg,transparent 0 6px,color-mix(in srgb,var(--c) 22%,transparent) 6px 9px)}.bar.blocked{background-color:color-mix(in srgb,var(--c) 45%,transparent);background-image:repeating-linear-gradient(135deg,transparent 0 4px,var(--c) 4px 6px)}
.box.blocked>*{background:var(--card);border-radius:3px}.box.blocked>code,.box.blocked>.meta{padding:0 3px}
.failed{border-color:var(--bug)}.box.failed .meta span{color:var(--bug);font-weight:600}.bar.failed{background:var(--bug)}
.lost{border-bottom-style:dashed;border-bottom-color:var(--undocumented)}.box.lost .meta span{color:var(--undocumented)}
.tag{display:inline-block;border:1px solid currentColor;border-radius:3px;padding:0 4px;font-size:.7rem}
.result{margin-top:3px;padding:2px 6px;background:var(--sunk);border-radius:3px;font-size:11.5px;line-height:1.4}
.chips{list-style:none;margin:4px 0 1px;padding:0;display:flex;flex-wrap:wrap;gap:3px}.chip{border:1px solid var(--line);border-radius:3px;padding:0 5px;font-size:.7rem;line-height:1.6;min-width:0}.chip .list{font-family:ui-monospace,Menlo,Consolas,monospace}
.long>summary{cursor:pointer;list-style:none}.long>summary::after{content:"whole statement";font-size:.7rem;color:var(--documented)}.long[open]>summary code{display:none}.long[open]>summary::after{content:"less"}
.cycle{display:block;width:100%;max-width:420px;height:auto;margin:0 auto 6px}
.cycle text{font-size:13px;text-anchor:middle;fill:var(--ink);font-weight:600}.cycle .sub{font-size:11px;font-weight:400;fill:var(--soft)}
.node circle{fill:var(--card);stroke:var(--c);stroke-width:2.5}.node{cursor:default}.node:focus{outline:none}.node:focus-visible circle{stroke-width:5}.node.lit circle{fill:color-mix(in srgb,var(--glow) 40%,var(--card))}
.edge{color:var(--soft);cursor:default}.edge .line{fill:none;stroke:currentColor;stroke-width:2}.edge .reach{fill:none;stroke:transparent;stroke-width:22}.edge polygon{fill:currentColor}.edge rect{fill:var(--card);stroke:currentColor;stroke-width:1.2}
.edge.rw .line,.edge.rwp .line{stroke-dasharray:7 4}.edge.so .line,.edge.rt .line{stroke-dasharray:2 4}.edge.ww .line{stroke-width:3}
.edge:focus{outline:none}.edge:focus-visible rect{stroke:var(--focus);stroke-width:2.5}
.edges{margin:0;padding:0;list-style:none;counter-reset:edge}.edges li{counter-increment:edge;position:relative;padding:8px 10px 8px 34px;border:1px solid var(--line);border-radius:6px;margin-bottom:6px;font-size:.88rem}.edges li::before{content:counter(edge);position:absolute;left:10px;top:9px;width:17px;height:17px;border-radius:50%;border:1px solid var(--soft);color:var(--soft);font-size:.7rem;line-height:15px;text-align:center}
.edges p{margin:2px 0 0;overflow-wrap:anywhere}.pair i::after{content:" →"}.edges .row{color:var(--soft);font-size:.8rem;margin-left:8px;overflow-wrap:anywhere}
.lit.box,.edges .lit,.chip.lit{background-color:color-mix(in srgb,var(--glow) 26%,var(--card))}.lit.box,.edges .lit{outline:2px solid var(--glow);outline-offset:0}.chip.lit{border-color:var(--glow)}.lit.box.blocked>*{background:color-mix(in srgb,var(--glow) 26%,var(--card))}
.edge.lit{color:var(--ink)}.edge.lit .line{stroke-width:3.5}.edge.lit rect{fill:color-mix(in srgb,var(--glow) 40%,var(--card))}.bar.lit{box-shadow:inset 0 0 0 2px var(--ink)}
.more{margin-top:10px}.more>summary{cursor:pointer;color:var(--soft);font-size:.88rem}.more pre{margin-top:8px;background:var(--sunk);border:1px solid var(--line);border-radius:6px;padding:10px 12px}
.notes{padding-left:20px}.notes li{overflow-wrap:anywhere}
.reproduction,.files{margin:14px 0}.reproduction p{overflow-wrap:anywhere}.orders{margin:6px 0 10px;padding-left:20px;font-size:.9rem}.orders li{overflow-wrap:anywhere}
.script{list-style:none;margin:8px 0;padding:0;display:grid;grid-template-columns:repeat(var(--sessions),minmax(0,1fr));gap:4px 10px}
.script li{grid-column:var(--lane);grid-row:var(--row);min-width:0;border-left:4px solid var(--c);border-radius:4px;background:var(--sunk);padding:4px 8px;font-size:.82rem;overflow-wrap:anywhere}
.script b{color:var(--c);font-size:.72rem;margin-right:4px}.script code{white-space:pre-wrap}.script span{display:block;color:var(--soft);white-space:pre-line}
.script .failed span{color:var(--bug);font-weight:600}.script .blocked span{color:var(--undocumented);font-weight:600}
.derivation{margin-top:5px;font-size:.8rem}.derivation>summary{cursor:pointer;color:var(--documented)}.derivation tr.on td{font-weight:600}.derivation td,.derivation th{padding:2px 10px 2px 0}
.file{position:relative}.copy{float:right;margin:6px 6px 0 10px}.more .copy{margin:14px 8px 0}
.sent{display:none}.as-sent .sent{display:revert}.as-sent .own{display:none}.toggle[aria-pressed=true]{background:var(--ink);color:var(--page)}
.meta .session{display:none;font-style:normal}
.first{margin-bottom:8px}.verdict{display:flex;flex-wrap:wrap;gap:6px 18px;align-items:baseline;border-left:6px solid var(--line);border-radius:0 8px 8px 0;background:var(--card);padding:10px 16px;margin-bottom:12px}.verdict strong{font-size:1.5rem;line-height:1.2;letter-spacing:-.01em}.verdict div{flex:1 1 26rem;min-width:0}.verdict p{margin:0;overflow-wrap:anywhere}
.verdict.bug{border-color:var(--bug);background:var(--bug-bg)}.verdict.bug strong{color:var(--bug)}.verdict.undocumented{border-color:var(--undocumented)}.verdict.undocumented strong{color:var(--undocumented)}.verdict.inconclusive,.verdict.known,.verdict.yours{border-color:var(--inconclusive)}.verdict.inconclusive strong,.verdict.known strong,.verdict.yours strong{color:var(--inconclusive)}.verdict.documented,.verdict.clean{border-color:var(--clean)}.verdict.documented strong,.verdict.clean strong{color:var(--clean)}
.levels{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:4px 14px;margin-bottom:12px}.levels table{width:auto}.levels .term{overflow-wrap:normal}.levels th,.levels td{padding:3px 22px 3px 0}.levels thead th{white-space:normal;vertical-align:bottom}.levels tbody th{color:var(--ink)}.levels tr:last-child th,.levels tr:last-child td{border-bottom:0}.levels td[colspan]{white-space:normal;color:var(--soft)}
${STACKED('.levels.many')}
.dot{display:inline-block;width:9px;height:9px;border-radius:50%;margin-right:7px;background:var(--soft)}.dot.bug{background:var(--bug)}.dot.undocumented{background:var(--undocumented)}.dot.documented{background:var(--documented)}.dot.clean{background:var(--clean)}.dot.inconclusive,.dot.known,.dot.yours{background:var(--inconclusive)}
.chosen{padding:0 7px;font-variant-numeric:tabular-nums}.num .bug{color:var(--bug);font-weight:700}.num .undocumented{color:var(--undocumented);font-weight:600}.num .documented{color:var(--documented)}.num span+span{margin-left:6px}
.worst{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 16px 14px}.worst h2{margin:0 0 6px;font-size:1.05rem;overflow-wrap:anywhere}.worst h2 .quiet{font-weight:400}.worst .picture{margin:8px 0 10px}.worst .copy{margin-top:5px}
.find{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin:0 0 8px}.find input{font:inherit;flex:1 1 16rem;min-width:0;max-width:40rem;padding:6px 12px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink)}.find output{color:var(--soft);font-size:.9rem;font-variant-numeric:tabular-nums}
.filters{display:flex;flex-direction:column;gap:4px;margin:0 0 8px}.facet{display:flex;flex-wrap:wrap;gap:4px 5px;align-items:baseline}.facet>b{flex:none;width:6.2rem;color:var(--soft);font-weight:500;font-size:.82rem}
.pick{border-radius:999px;padding:1px 11px;font-size:.8rem;overflow-wrap:anywhere;text-align:left}.pick small{color:var(--soft);font-variant-numeric:tabular-nums}.pick[aria-pressed=true]{background:var(--documented);border-color:var(--documented);color:var(--page)}.pick[aria-pressed=true] small{color:inherit}.pick.none{opacity:.5}.rest{font-size:.8rem}.rest>summary{cursor:pointer;color:var(--documented)}.rest[open]{flex-basis:100%}.rest .pick{margin:0 5px 4px 0}
.panel{border:1px solid var(--line);border-radius:8px;background:var(--card);padding:0 14px;margin:0 0 12px}.panel>summary{cursor:pointer;padding:5px 0;font-size:.88rem;color:var(--soft)}.panel>summary h2{display:inline;color:var(--ink);font-size:1.1rem}.panel[open]{padding-bottom:10px}.glossary{margin-top:36px}
.legend ul{list-style:none;margin:4px 0 8px;padding:0;display:flex;flex-wrap:wrap;gap:6px 20px;font-size:.82rem}.legend li{display:flex;align-items:center;gap:6px}.legend svg{width:44px;height:14px;flex:none}.legend .box{display:inline-block;width:34px;height:18px;margin:0;padding:0;flex:none}
.terms{margin:4px 0 10px;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:2px 24px;font-size:.86rem}.terms div{padding:3px 6px;border-radius:4px}.terms dt{font-weight:600}.terms dd{margin:0;color:var(--soft)}.terms div:target{background:color-mix(in srgb,var(--glow) 26%,var(--card))}.glossary h3{margin-top:10px}
.term{color:inherit;text-decoration:underline dotted var(--soft);text-underline-offset:3px}[data-term]{cursor:help}summary [data-term]{cursor:pointer}
#gloss{position:fixed;z-index:9;max-width:min(380px,calc(100vw - 16px));background:var(--ink);color:var(--page);padding:7px 11px;border-radius:6px;font-size:.84rem;line-height:1.4;pointer-events:none;overflow-wrap:anywhere}#gloss b{display:block}
[hidden]{display:none!important}
@media (min-width:901px) and (min-height:760px){.picture:not(.wide) .graph.short{position:sticky;top:12px;align-self:start}}
@media (max-width:760px){.script{grid-template-columns:minmax(0,1fr)}.script li{grid-column:1;grid-row:auto}}
@media (max-width:900px){.picture.wide .graph{display:block}.picture{grid-template-columns:minmax(0,1fr)}.cycle{max-width:360px}}
@media (max-width:600px){${STACKED('.levels')}.grid{display:block!important}.at,.lane,.corner{display:none}.lane-name{display:inline-block;padding:0 14px 6px 0}.box{margin:0 0 5px!important}.meta .session{display:inline}.facet>b{width:100%}.finding{margin-left:4px}.levels{padding:4px 8px}.levels th,.levels td{padding-right:9px}.verdict{padding:8px 10px}.worst{padding:8px 10px}:root{--axis:3.6rem}.top,main{padding-left:12px;padding-right:12px}.body{padding:12px 10px}.where{margin-left:0;width:100%}}
@media print{.lanes,.scroll{overflow:visible}.family{break-inside:avoid-page}}
`;
