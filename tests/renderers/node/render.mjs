// The Markdown renderers of the Node world: JSON lines in, `{"renderer": …, "text": …}`, and JSON lines out,
// `{"html": …}` or `{"error": …}`, in the same order. The first line out names them all.
//
// Each is configured as the least careful site has it: raw HTML passes, every scheme passes, bare addresses
// are linked. A renderer whose package is missing is left out, so that one of them cannot take the others along.

import { createInterface } from 'node:readline'

console.error = console.warn = console.log = () => {} // React complains at length about attributes

const makers = {
  'marked': async () => {
    const { Marked } = await import('marked')
    const marked = new Marked({ gfm: true })
    return (text) => marked.parse(text)
  },
  'markdown-it linkify': async () => {
    const { default: MarkdownIt } = await import('markdown-it')
    return markdownIt(MarkdownIt)
  },
  'markdown-it attrs': async () => {
    const { default: MarkdownIt } = await import('markdown-it')
    const { default: attrs } = await import('markdown-it-attrs')
    return markdownIt(MarkdownIt, attrs)
  },
  'commonmark.js': async () => {
    const { Parser, HtmlRenderer } = await import('commonmark')
    const [parser, writer] = [new Parser({ smart: true }), new HtmlRenderer({ safe: false })]
    return (text) => writer.render(parser.parse(text))
  },
  'showdown github': async () => {
    const { default: showdown } = await import('showdown')
    const converter = new showdown.Converter()
    converter.setFlavor('github')
    for (const option of ['parseImgDimensions', 'underline', 'metadata']) converter.setOption(option, true)
    return (text) => converter.makeHtml(text)
  },
  'micromark gfm': async () => {
    const { micromark } = await import('micromark')
    const { gfm, gfmHtml } = await import('micromark-extension-gfm')
    const html = { ...gfmHtml() }
    for (const token of ['htmlFlowData', 'htmlTextData']) delete html.exit[token] // the tag filter would hide tags
    const options = { allowDangerousHtml: true, allowDangerousProtocol: true }
    return (text) => micromark(text, { ...options, extensions: [gfm()], htmlExtensions: [html] })
  },
  'remark gfm raw': async () => {
    const { default: gfm } = await import('remark-gfm')
    return remark([gfm])
  },
  'remark gfm math': async () => {
    const { default: gfm } = await import('remark-gfm')
    const { default: math } = await import('remark-math')
    const { default: katex } = await import('rehype-katex')
    return remark([gfm, math], [katex])
  },
  'remark gfm mathjax': async () => {
    const { default: gfm } = await import('remark-gfm')
    const { default: math } = await import('remark-math')
    const { default: mathjax } = await import('rehype-mathjax')
    return remark([gfm, math], [mathjax])
  },
  'remark directive': async () => {
    const { default: gfm } = await import('remark-gfm')
    const { default: directive } = await import('remark-directive')
    return remark([gfm, directive, () => elements])
  },
  'react-markdown': async () => {
    const { default: gfm } = await import('remark-gfm')
    const { default: raw } = await import('rehype-raw')
    const { default: Markdown } = await import('react-markdown')
    return react(Markdown, { remarkPlugins: [gfm], rehypePlugins: [raw], urlTransform: (url) => url })
  },
  'streamdown': async () => {
    const { Streamdown } = await import('streamdown')
    // Otherwise links are buttons that ask first, and the address is out of a server's sight.
    return react(Streamdown, { linkSafety: { enabled: false } })
  },
  'streamdown static': async () => {
    const { Streamdown } = await import('streamdown')
    return react(Streamdown, { mode: 'static', linkSafety: { enabled: false } })
  }
}

function markdownIt(MarkdownIt, ...plugins) {
  const renderer = new MarkdownIt({ html: true, linkify: true, typographer: true })
  renderer.validateLink = () => true
  for (const plugin of plugins) renderer.use(plugin)
  return (text) => renderer.render(text)
}

async function remark(remarkPlugins, rehypePlugins = []) {
  const { unified } = await import('unified')
  const { default: parse } = await import('remark-parse')
  const { default: toHtml } = await import('remark-rehype')
  const { default: raw } = await import('rehype-raw')
  const { default: stringify } = await import('rehype-stringify')
  const processor = unified().use(parse)
  for (const plugin of remarkPlugins) processor.use(plugin)
  processor.use(toHtml, { allowDangerousHtml: true }).use(raw)
  for (const plugin of rehypePlugins) processor.use(plugin)
  processor.use(stringify).freeze()
  return (text) => String(processor.processSync(text))
}

/** Directives become the elements of their names, as the plugin's own introduction has it. */
function elements(node) {
  if (/Directive$/.test(node.type)) node.data = { ...node.data, hName: node.name, hProperties: node.attributes }
  for (const child of node.children ?? []) elements(child)
}

async function react(component, props) {
  const { createElement } = await import('react')
  const { renderToStaticMarkup } = await import('react-dom/server')
  return (text) => renderToStaticMarkup(createElement(component, props, text))
}

const renderers = {}
const missing = {}
for (const [name, make] of Object.entries(makers)) {
  try {
    renderers[name] = await make()
  } catch (error) {
    missing[name] = String(error.code ?? error)
  }
}

const answer = (value) => process.stdout.write(JSON.stringify(value) + '\n')

answer({ renderers: Object.keys(renderers), missing })
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { renderer, text } = JSON.parse(line)
  try {
    answer({ html: String(renderers[renderer](text)) })
  } catch (error) {
    answer({ error: `${error.name}: ${error.message}`.slice(0, 300) })
  }
}
